-- The next hop that could not be reached, where that alone is what a recipient waits for: when it answers, the recipient is due.
ALTER TABLE outbound_recipient ADD COLUMN unreachable VARCHAR(320);
CREATE INDEX outbound_recipient_by_unreachable ON outbound_recipient (unreachable);
