"""`--scorer blue`: what BLUE's five scripts print, with each of their oddities under a name."""
