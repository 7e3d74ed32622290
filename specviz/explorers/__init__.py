"""Interactive figures for JupyterLab: state in, picture and sentence out."""
