"""Property tests take the same examples in every run, and as long as a busy machine needs."""

from hypothesis import settings

settings.register_profile("specviz", deadline=None, derandomize=True)
settings.load_profile("specviz")


def pytest_terminal_summary(terminalreporter):
    """Say in one line why the browser was not used, whichever process found out."""
    skipped = [report for report in terminalreporter.stats.get("skipped", []) if "tests/browser" in report.nodeid]
    for reason in sorted({str(report.longrepr[2]) for report in skipped}):
        terminalreporter.write_line(f"tests/browser skipped: {reason.removeprefix('Skipped: ')}")
