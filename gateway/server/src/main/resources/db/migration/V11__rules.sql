-- By which rules the keywords of a route's trapdoors were made, as numbers with blanks between them. Not known of routes that were installed by software which does not say so: it knows rules 1 alone.
ALTER TABLE route ADD COLUMN rules VARCHAR(64);

-- When a sender was last seen to make keywords by some rules, by when it sealed them. Mail that no sender of the tenant signed has an empty sender.
CREATE TABLE sender_rules (
    tenant VARCHAR(255) NOT NULL,
    sender VARCHAR(255) NOT NULL,
    rules INTEGER NOT NULL,
    last_sealed TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (tenant, sender, rules)
);
-- All that was stored before is of rules 1.
INSERT INTO sender_rules (tenant, sender, rules, last_sealed) SELECT tenant, sender, 1, last_sealed FROM chain;
