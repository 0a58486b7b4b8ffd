package dev.veilgate.packages;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * A page of the manual about a command and those below it. A command below that has a page of its own is named only;
 * of others the page says all.
 */
final class ManualPage {
    private static final Pattern ITEM = Pattern.compile(" {2}(\\S.*?) {2,}(\\S.*)");

    private final Manual manual;
    private final Manual.Page page;
    private final CommandLine command;
    private final Roff roff;

    /** By names and meaning of an option, the command that it was described with. */
    private final Map<String, CommandSpec> described = new HashMap<>();

    ManualPage(Manual manual, Manual.Page page) {
        this.manual = manual;
        this.page = page;
        this.command = page.command();
        this.roff = new Roff(page.name(), manual.day(), "Veilgate " + manual.version());
    }

    /** The page in roff. */
    String write() {
        CommandSpec spec = command.getCommandSpec();
        List<CommandLine> below = below(command);
        roff.section("NAME");
        roff.paragraph(page.name() + " - " + header(spec));
        roff.section("SYNOPSIS");
        synopses(command);
        Prose description = description(spec);
        if (!description.parts().isEmpty()) {
            roff.section("DESCRIPTION");
            description.writeTo(roff);
        }
        if (!below.isEmpty()) {
            roff.section("COMMANDS");
            below.forEach(this::describe);
        }
        arguments(spec, true);
        exitStatus(spec);
        surroundings();
        List<Prose.Part> examples = footer(spec).blocks();
        if (!examples.isEmpty()) {
            roff.section("EXAMPLES");
            examples.forEach(example -> example.writeTo(roff));
        }
        seeAlso(spec);
        return roff.toString();
    }

    /** The commands below one, but those that are hidden and those that are about help. */
    private static List<CommandLine> below(CommandLine line) {
        return line.getSubcommands().values().stream()
                .filter(sub -> !sub.getCommandSpec().usageMessage().hidden())
                .distinct()
                .toList();
    }

    private void describe(CommandLine sub) {
        CommandSpec spec = sub.getCommandSpec();
        Optional<String> own = manual.pageOf(spec);
        if (own.isPresent()) {
            roff.item(Roff.bold(spec.qualifiedName()), sentence(header(spec)) + " See " + own.get() + "(1).");
            return;
        }
        roff.subsection(spec.qualifiedName());
        roff.paragraph(sentence(header(spec)));
        List<CommandLine> below = below(sub);
        if (below.isEmpty()) {
            roff.marked(synopsis(spec));
        }
        description(spec).writeTo(roff);
        arguments(spec, false);
        footer(spec).blocks().forEach(example -> example.writeTo(roff));
        below.forEach(this::describe);
    }

    private void synopses(CommandLine line) {
        CommandSpec spec = line.getCommandSpec();
        List<CommandLine> below = below(line);
        if (below.isEmpty()) {
            roff.marked(synopsis(spec));
        } else if (below.stream()
                .anyMatch(sub -> manual.pageOf(sub.getCommandSpec()).isPresent())) {
            roff.marked(Roff.bold(spec.qualifiedName()) + " " + Roff.italic("COMMAND") + " [" + Roff.italic("ARGUMENT")
                    + "]...");
        } else {
            below.forEach(this::synopses);
        }
    }

    private String synopsis(CommandSpec spec) {
        StringBuilder line = new StringBuilder(Roff.bold(spec.qualifiedName()));
        List<OptionSpec> options = options(spec);
        options.stream()
                .filter(OptionSpec::required)
                .forEach(option ->
                        line.append(' ').append(Roff.bold(option.longestName())).append(value(option)));
        if (options.stream().anyMatch(option -> !required(option))) {
            line.append(" [").append(Roff.italic("OPTION")).append("]...");
        }
        for (PositionalParamSpec parameter : parameters(spec)) {
            line.append(' ').append(term(parameter));
        }
        return line.toString();
    }

    /** Options and parameters, under headings of their own or not. */
    private void arguments(CommandSpec spec, boolean headings) {
        List<PositionalParamSpec> parameters = parameters(spec).stream()
                .filter(parameter -> !meaning(parameter).isEmpty())
                .toList();
        List<OptionSpec> options = options(spec);
        if (headings && !parameters.isEmpty()) {
            roff.section("ARGUMENTS");
        }
        parameters.forEach(parameter -> roff.item(term(parameter), meaning(parameter)));
        boolean common = headings && spec.parent() != null;
        if (headings && (common || !options.isEmpty())) {
            roff.section("OPTIONS");
        }
        Map<CommandSpec, List<String>> elsewhere = new LinkedHashMap<>();
        for (OptionSpec option : options) {
            String what = String.join(" ", option.names()) + meaning(option);
            CommandSpec first = described.putIfAbsent(what, spec);
            if (first == null) {
                roff.item(term(option), meaning(option) + (required(option) ? " Required." : ""));
            } else {
                elsewhere.computeIfAbsent(first, _ -> new ArrayList<>()).add(Roff.bold(option.longestName()));
            }
        }
        elsewhere.forEach((first, names) ->
                roff.marked("As for " + Roff.bold(first.qualifiedName()) + ": " + String.join(", ", names) + "."));
        if (common) {
            roff.marked(Roff.bold("--help") + " and other options of all commands are in "
                    + reference(manual.pageOf(spec.root()).orElseThrow()) + ".");
        }
    }

    private void exitStatus(CommandSpec spec) {
        Map<String, String> codes = spec.usageMessage().exitCodeList();
        if (!codes.isEmpty()) {
            roff.section("EXIT STATUS");
            codes.forEach((code, meaning) -> roff.item(Roff.bold(code), sentence(meaning)));
        }
    }

    /** Sections of two columns: variables of the environment, files. */
    private void surroundings() {
        for (String line : manual.surroundings(page).lines().toList()) {
            Matcher item = ITEM.matcher(line);
            if (item.matches()) {
                roff.item(Roff.bold(item.group(1)), sentence(item.group(2)));
            } else if (!line.isBlank()) {
                roff.section(line.strip());
            }
        }
    }

    private void seeAlso(CommandSpec spec) {
        roff.section("SEE ALSO");
        List<String> others = new ArrayList<>();
        manual.pages().stream().filter(other -> other != page).forEach(other -> others.add(reference(other.name())));
        if (!others.isEmpty()) {
            roff.marked(String.join(", ", others));
        }
        footer(spec).paragraphs().forEach(part -> part.writeTo(roff));
        roff.paragraph("The documentation is in the folder docs of the source, and in packages below /usr/share/doc.");
    }

    private static String reference(String page) {
        return Roff.bold(page) + "(1)";
    }

    private Prose description(CommandSpec spec) {
        return prose(own(spec, UsageMessageSpec::description), manual.indent());
    }

    private static Prose footer(CommandSpec spec) {
        return prose(own(spec, UsageMessageSpec::footer), 0);
    }

    /** The lines that a command has of its own: of one that has none picocli tells those of the command above. */
    private static String[] own(CommandSpec spec, Function<UsageMessageSpec, String[]> lines) {
        String[] text = lines.apply(spec.usageMessage());
        for (CommandSpec above = spec.parent(); above != null; above = above.parent()) {
            if (Arrays.equals(text, lines.apply(above.usageMessage()))) {
                return new String[0];
            }
        }
        return text;
    }

    private static Prose prose(String[] lines, int indent) {
        return Prose.of(Arrays.stream(lines).map(ManualPage::formatted).toList(), indent);
    }

    private static String header(CommandSpec spec) {
        return formatted(String.join(" ", spec.usageMessage().header()));
    }

    /** The options that are the command's own; those of all commands only at the top. */
    private static List<OptionSpec> options(CommandSpec spec) {
        return spec.options().stream()
                .filter(option -> !option.hidden() && !option.inherited())
                .filter(option -> spec.parent() == null || !option.usageHelp() && !option.versionHelp())
                .toList();
    }

    /** Tells if a command fails without an option; one of several that exclude each other may be left out. */
    private static boolean required(OptionSpec option) {
        return option.required() && option.group() == null;
    }

    private static List<PositionalParamSpec> parameters(CommandSpec spec) {
        return spec.positionalParameters().stream()
                .filter(parameter -> !parameter.hidden())
                .toList();
    }

    private static String term(OptionSpec option) {
        List<String> names = new ArrayList<>();
        for (String each : option.names()) {
            names.add(Roff.bold(option.negatable() ? each.replaceFirst("^--", "--[no-]") : each));
        }
        return String.join(", ", names) + value(option);
    }

    private static String term(PositionalParamSpec parameter) {
        String label = Roff.italic(plain(parameter.paramLabel()));
        String many = parameter.arity().max() > 1 || parameter.index().isVariable() ? label + "..." : label;
        return parameter.arity().min() == 0 ? "[" + many + "]" : many;
    }

    private static String value(OptionSpec option) {
        if (option.arity().max() == 0) {
            return "";
        }
        String label = Roff.italic(plain(option.paramLabel()));
        return (option.longestName().startsWith("--") ? "=" : " ")
                + label
                + (option.splitRegex().isEmpty() ? "" : "[," + label + "]...");
    }

    /** A label without the brackets that say in the help that it is one. */
    private static String plain(String label) {
        return label.startsWith("<") && label.endsWith(">") ? label.substring(1, label.length() - 1) : label;
    }

    private static String meaning(ArgSpec argument) {
        return formatted(String.join(" ", argument.description()))
                .replaceAll("\\s+", " ")
                .strip();
    }

    /** Texts of help are formats: a percent sign is written as two, an end of a line as %n. */
    private static String formatted(String text) {
        return text.contains("%") ? text.formatted() : text;
    }

    private static String sentence(String text) {
        String begun = Character.toUpperCase(text.charAt(0)) + text.substring(1);
        return begun.endsWith(".") ? begun : begun + ".";
    }
}
