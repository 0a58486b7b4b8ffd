-- How a query was read when it was saved or installed, as JSON; not known of what was kept before.
ALTER TABLE saved_search ADD COLUMN understood TEXT;
ALTER TABLE installed_route ADD COLUMN understood TEXT;
