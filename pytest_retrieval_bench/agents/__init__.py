"""What agents did before they answered: pure measures of their logs."""
