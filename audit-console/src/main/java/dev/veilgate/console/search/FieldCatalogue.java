package dev.veilgate.console.search;

import java.util.List;

/** Fields that records and mails commonly have, for completion. Structured records have more, by their own names. */
final class FieldCatalogue {
    /** Of the interface. */
    record Field(String name, String description, String kind, String example) {}

    static final List<Field> ALL = List.of(
            new Field("level", "how serious a log line is", "word", "level:error"),
            new Field("host", "machine that wrote the line", "word", "host:press-4"),
            new Field("app", "program that wrote the line", "word", "app:sshd"),
            new Field("pid", "number of the process", "number", "pid:4711"),
            new Field("ip", "address anywhere in the line", "address", "ip:10.0.0.7"),
            new Field("path", "whole path of a file", "path", "path:/var/log/syslog"),
            new Field("source", "file or unit that the sender read", "path", "source:/var/log/auth.log"),
            new Field("time", "month, day, hour or minute, in UTC", "time", "time:2026-11-21T12"),
            new Field("user", "user that a structured line names", "word", "user:root"),
            new Field("unit", "unit of the journal", "word", "unit:ssh.service"),
            new Field("from", "sender of a mail: address, domain or name", "mail", "from:@example.org"),
            new Field("to", "recipient of a mail", "mail", "to:alice@example.org"),
            new Field("cc", "recipient of a copy", "mail", "cc:@example.org"),
            new Field("subject", "words of a mail's subject", "mail", "subject:\"quarterly report\""),
            new Field("date", "day or month of a mail", "time", "date:2026-11-21"),
            new Field("filename", "attachment by name or ending", "mail", "filename:*.pdf"),
            new Field("attachment-type", "attachment by media type", "mail", "attachment-type:application/pdf"),
            new Field("message-id", "a mail by its id", "mail", "message-id:1@example.org"),
            new Field("list-id", "mailing list", "mail", "list-id:list.example.org"));

    private FieldCatalogue() {}
}
