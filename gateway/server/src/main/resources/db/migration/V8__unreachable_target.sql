-- What could not be reached, where that alone is what an action waits for: when it answers, the action is due.
ALTER TABLE route_action ADD COLUMN unreachable VARCHAR(320);
CREATE INDEX route_action_by_unreachable ON route_action (unreachable);
