-- What was asked for, as JSON, with its query: so that it can be issued again. Not known of routes that were installed before.
ALTER TABLE installed_route ADD COLUMN asked TEXT;
