"""How an answer is checked: handed in, called under a time limit, compared."""
