"""Tools of whoever works on specviz itself: the folder is not in the wheel, and its commands run in the project's own folder."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The project's own folder: specviz/, tests/, notebooks/ and figures/ stand in it."""
