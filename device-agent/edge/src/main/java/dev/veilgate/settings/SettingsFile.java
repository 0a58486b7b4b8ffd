package dev.veilgate.settings;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** The YAML file as keys, values and where they are. No object is made of it but text: nothing in it can run. */
final class SettingsFile {
    private static final int MAX_BYTES = 1 << 20;

    /** A value and where it is. */
    record Entry(List<String> values, String where) {
        String value() {
            return String.join(",", values);
        }
    }

    private final Path file;
    private final Set<String> foreign;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final List<Map<String, Entry>> sources = new ArrayList<>();

    private SettingsFile(Path file, Set<String> foreign) {
        this.file = file;
        this.foreign = foreign;
    }

    /**
     * Reads a file.
     *
     * @param known   the keys that may be in it
     * @param items   the keys of one item of the list {@code listKey}
     * @param foreign sections of other programs, which are passed over
     */
    static SettingsFile read(Path file, Set<String> known, String listKey, Set<String> items, Set<String> foreign)
            throws SettingsException, IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new SettingsException(file + ": a settings file has at most " + MAX_BYTES + " bytes");
        }
        SettingsFile settings = new SettingsFile(file, foreign);
        LoadSettings load = LoadSettings.builder()
                .setLabel(file.toString())
                .setAllowDuplicateKeys(false)
                .setMaxAliasesForCollections(10)
                .build();
        try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            Optional<Node> root = new Compose(load).composeReader(in);
            if (root.isPresent()) {
                settings.walk("", root.get(), known, listKey, items);
            }
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(0);
            throw new SettingsException(file + ":" + line + ": is not YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            throw new SettingsException(file + ": is not YAML");
        }
        return settings;
    }

    Map<String, Entry> entries() {
        return entries;
    }

    List<Map<String, Entry>> sources() {
        return sources;
    }

    private void walk(String prefix, Node node, Set<String> known, String listKey, Set<String> items)
            throws SettingsException {
        if (!(node instanceof MappingNode map)) {
            throw new SettingsException(where(node) + label(prefix) + "must be a map of keys and values");
        }
        Set<String> seen = new HashSet<>();
        for (NodeTuple pair : map.getValue()) {
            String name = scalar(pair.getKeyNode(), prefix);
            String key = prefix.isEmpty() ? name : prefix + "." + name;
            Node value = pair.getValueNode();
            if (!seen.add(name)) {
                throw new SettingsException(where(value) + key + ": is there twice");
            }
            if (prefix.isEmpty() && foreign.contains(name)) {
                continue;
            }
            if (key.equals(listKey)) {
                list(key, value, items);
            } else if (known.contains(key)) {
                entries.put(key, entry(key, value));
            } else if (known.stream().anyMatch(k -> k.startsWith(key + ".")) || listKey.startsWith(key + ".")) {
                walk(key, value, known, listKey, items);
            } else {
                throw unknown(value, key, known, listKey);
            }
        }
    }

    private void list(String key, Node node, Set<String> items) throws SettingsException {
        if (!(node instanceof SequenceNode list)) {
            throw new SettingsException(where(node) + key + ": must be a list, each item with a dash");
        }
        for (Node item : list.getValue()) {
            if (!(item instanceof MappingNode map)) {
                throw new SettingsException(where(item) + key + ": each item must be a map of keys and values");
            }
            Map<String, Entry> found = new LinkedHashMap<>();
            for (NodeTuple pair : map.getValue()) {
                String name = scalar(pair.getKeyNode(), key);
                if (!items.contains(name)) {
                    throw unknown(pair.getValueNode(), key + "." + name, prefixed(key, items), "");
                }
                if (found.put(name, entry(key + "." + name, pair.getValueNode())) != null) {
                    throw new SettingsException(where(pair.getValueNode()) + key + "." + name + ": is there twice");
                }
            }
            sources.add(found);
        }
    }

    private static Set<String> prefixed(String key, Set<String> items) {
        Set<String> full = new HashSet<>();
        items.forEach(item -> full.add(key + "." + item));
        return full;
    }

    private Entry entry(String key, Node node) throws SettingsException {
        List<String> values = new ArrayList<>();
        if (node instanceof SequenceNode list) {
            for (Node item : list.getValue()) {
                values.add(scalar(item, key));
            }
        } else {
            values.add(scalar(node, key));
        }
        return new Entry(values, where(node));
    }

    private String scalar(Node node, String key) throws SettingsException {
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        throw new SettingsException(where(node) + label(key) + "must be one value");
    }

    private SettingsException unknown(Node node, String key, Set<String> known, String listKey) {
        Set<String> all = new HashSet<>(known);
        if (!listKey.isEmpty()) {
            all.add(listKey);
        }
        known.stream().filter(k -> k.contains(".")).forEach(k -> all.add(k.substring(0, k.lastIndexOf('.'))));
        all.addAll(foreign);
        String near = Spelling.nearest(key, all);
        return new SettingsException(
                where(node) + key + ": no such key" + (near.isEmpty() ? "" : "; did you mean " + near + "?"));
    }

    private String where(Node node) {
        int line = node.getStartMark().map(mark -> mark.getLine() + 1).orElse(0);
        return file + ":" + line + ": ";
    }

    private static String label(String key) {
        return key.isEmpty() ? "" : key + ": ";
    }
}
