"""`--scorer correct`: the stated rule of each type of task, a module each."""
