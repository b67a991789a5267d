"""The maze without walls: letters steer a walker from the border to the goal."""
