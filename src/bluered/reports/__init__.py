"""What people look at: tables, terminal output and pages."""
