# make lab: JupyterLab on the first notebook.   make test: everything that is checked.
PYTHON ?= python3
PY := .venv/bin/python
DONE := .venv/complete

# The mark holds the folder it was made in. None, or one from elsewhere: the environment is unfinished or was moved.
ifneq ($(shell cat $(DONE) 2>/dev/null),$(CURDIR))
$(shell rm -f $(DONE))
endif

.PHONY: lab test notebooks figures bench catalogue false-alarms screenshots clean

lab: $(DONE)
	$(PY) -m jupyterlab --ip=127.0.0.1 --LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb $(if $(filter 0,$(shell id -u)),--allow-root) $(ARGS)

test: $(DONE)
	@echo "[1/3] style: ruff" && $(PY) -m ruff check && $(PY) -m ruff format --check
	@echo "[2/3] types: mypy --strict" && $(PY) -m mypy
	@echo "[3/3] tests, and every notebook run and compared" && $(PY) -m pytest -n 2 --dist loadfile $(ARGS)

notebooks figures bench catalogue false-alarms screenshots: $(DONE)
	$(PY) -m specviz $@

clean:
	rm -rf .venv

$(DONE): requirements.txt pyproject.toml
	@command -v $(PYTHON) > /dev/null || { echo "$(PYTHON) is not there; name a Python 3.11, 3.12 or 3.13: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(0 if (3, 11) <= v <= (3, 13) else "Python %d.%d found; specviz needs 3.11, 3.12 or 3.13: make PYTHON=python3.12" % v)'
	@echo "Installing into .venv (about a minute, once)"
	rm -rf .venv
	$(PYTHON) -m venv .venv
	$(PY) -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@pwd -P > $(DONE)
