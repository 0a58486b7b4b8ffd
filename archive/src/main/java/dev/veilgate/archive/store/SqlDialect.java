package dev.veilgate.archive.store;

import dev.veilgate.sse.CellStore;
import java.util.Optional;

/** Statements in which databases differ. Keys are compared byte by byte, unsigned, in both. */
enum SqlDialect {
    /** PostgreSQL. */
    POSTGRESQL("bytea", "bytea") {
        @Override
        String put(String table) {
            return insert(table) + " on conflict (cells, id) do update set content = excluded.content";
        }

        @Override
        String putIfAbsent(String table) {
            return insert(table) + " on conflict (cells, id) do nothing";
        }
    },

    /** H2, whose values without a bound are of another type than its keys. */
    H2("varbinary(" + CellStore.MAX_KEY_BYTES + ")", "blob") {
        @Override
        String put(String table) {
            return "merge into " + table + " (cells, id, content) key (cells, id) values (?, ?, ?)";
        }

        @Override
        String putIfAbsent(String table) {
            return put(table);
        }
    };

    private final String key;
    private final String value;

    SqlDialect(String key, String value) {
        this.key = key;
        this.value = value;
    }

    static Optional<SqlDialect> of(String product) {
        return switch (product) {
            case "PostgreSQL" -> Optional.of(POSTGRESQL);
            case "H2" -> Optional.of(H2);
            default -> Optional.empty();
        };
    }

    final String create(String table) {
        return "create table if not exists " + table + " (cells varchar(64) not null, id " + key + " not null, content "
                + value + " not null, primary key (cells, id))";
    }

    /** Makes or replaces a cell. */
    abstract String put(String table);

    abstract String putIfAbsent(String table);

    private static String insert(String table) {
        return "insert into " + table + " (cells, id, content) values (?, ?, ?)";
    }
}
