-- Since when headers of mails are delivered as who sealed them bound them. Has a row only where earlier versions delivered mail in the week before, whose edges bind none.
CREATE TABLE outer_header_bound (since TIMESTAMP WITH TIME ZONE NOT NULL);
INSERT INTO outer_header_bound (since) SELECT CURRENT_TIMESTAMP FROM (SELECT COUNT(*) AS mails FROM mail_seen) AS seen WHERE mails > 0;
