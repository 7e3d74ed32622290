"""Exercises by notebook: the task, an answer that is accepted, and what checks yours."""
