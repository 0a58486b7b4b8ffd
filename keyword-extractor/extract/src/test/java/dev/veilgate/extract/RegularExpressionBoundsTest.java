package dev.veilgate.extract;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every regular expression of main code, of all modules but the benchmarks, on long hostile input: it looks at each character a bounded number of times and does not
 * exhaust the stack. Steps are counted, not time.
 */
class RegularExpressionBoundsTest {
    private static final int CHARS = 4_000;
    private static final int LOOKS_PER_CHAR = 60;

    /** As if a text of 20,000 characters were matched on a thread's usual stack of a megabyte. */
    private static final int STACK_BYTES = (1 << 20) * (CHARS / 1_000) / 20;

    /** Methods that take an expression, and how they use it. */
    private static final Map<String, Use> METHODS = Map.of(
            "matches", Use.MATCH,
            "replaceAll", Use.FIND,
            "replaceFirst", Use.FIND,
            "split", Use.FIND,
            "splitWithDelimiters", Use.FIND,
            "compile", Use.BOTH);

    private enum Use {
        MATCH,
        FIND,
        BOTH
    }

    private record Expression(String file, String regex, Use use) {}

    @Test
    void noneLooksAtACharacterAgainAndAgain() throws Exception {
        Set<Expression> all = new LinkedHashSet<>();
        collect(mainCode(), all);
        assertThat(all).hasSizeGreaterThan(60);
        assertThat(all).extracting(Expression::file).contains("MailCommand.java", "MaskingRules.java", "KeyShare.java");
        assertThat(attack(all)).isEmpty();
    }

    /** The finder finds: expressions that are known to be bad, the last two for the stack only. */
    @ParameterizedTest
    @ValueSource(strings = {"[^\\s<>]+@[^\\s<>]+", "(a|b)*c", "(\\w+)+:", "(?:a|b)*", "(?:.|\\n)*"})
    void findsWhatIsKnownToBeBad(String regex) throws Exception {
        assertThat(attack(Set.of(new Expression("x", regex, Use.BOTH)))).isNotEmpty();
    }

    private static List<Path> mainCode() throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(Path.of(""), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return Set.of("node_modules", "target", ".git", "benchmarks")
                                .contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String name = file.toString();
                if (name.endsWith(".java") && name.contains("src/main/java/")) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }

    private static void collect(List<Path> files, Set<Expression> all) throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var manager = compiler.getStandardFileManager(null, null, null)) {
            var task = (JavacTask)
                    compiler.getTask(null, manager, null, List.of(), null, manager.getJavaFileObjectsFromPaths(files));
            for (CompilationUnitTree unit : task.parse()) {
                String name =
                        Path.of(unit.getSourceFile().getName()).getFileName().toString();
                String source = unit.getSourceFile().getCharContent(true).toString();
                new TreeScanner<Void, Void>() {
                    @Override
                    public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
                        if (call.getMethodSelect() instanceof MemberSelectTree select
                                && !call.getArguments().isEmpty()) {
                            Use use = METHODS.get(select.getIdentifier().toString());
                            String regex = use == null
                                    ? null
                                    : constant(call.getArguments().getFirst());
                            if (regex != null) {
                                all.add(new Expression(name, regex, use == Use.BOTH ? use(source) : use));
                            }
                        }
                        return super.visitMethodInvocation(call, nothing);
                    }
                }.scan(unit, null);
            }
        }
    }

    /** A file that never finds but only matches whole texts. */
    private static Use use(String source) {
        boolean finds = source.contains(".find(") || source.contains(".replaceAll(") || source.contains(".results()");
        return finds ? Use.BOTH : Use.MATCH;
    }

    /** The text of literals and of their sums; null for anything else. */
    private static String constant(ExpressionTree tree) {
        return switch (tree) {
            case LiteralTree literal when literal.getValue() instanceof String text -> text;
            case ParenthesizedTree inner -> constant(inner.getExpression());
            case BinaryTree sum -> {
                String left = constant(sum.getLeftOperand());
                String right = constant(sum.getRightOperand());
                yield left == null || right == null ? null : left + right;
            }
            default -> null;
        };
    }

    /** All expressions against all texts, on a thread of little stack; those that fail, and by what. */
    private static List<String> attack(Set<Expression> all) throws InterruptedException {
        List<String> bad = new CopyOnWriteArrayList<>();
        Thread attacker = new Thread(null, () -> all.forEach(each -> attack(each, bad)), "attacker", STACK_BYTES);
        List<Throwable> died = new CopyOnWriteArrayList<>();
        attacker.setUncaughtExceptionHandler((thread, e) -> died.add(e));
        attacker.start();
        attacker.join();
        assertThat(died).isEmpty();
        return bad;
    }

    private static void attack(Expression expression, List<String> bad) {
        Pattern pattern = Pattern.compile(expression.regex());
        Set<String> pieces = pieces(expression.regex());
        for (String start : pieces) {
            for (String pump : pieces) {
                String text = start + pump.repeat(CHARS / pump.length()) + "\u0001";
                for (Use use :
                        expression.use() == Use.BOTH ? List.of(Use.MATCH, Use.FIND) : List.of(expression.use())) {
                    try {
                        run(
                                pattern.matcher(new Counted(text, new long[] {(long) LOOKS_PER_CHAR * text.length()})),
                                use);
                    } catch (TooManyLooks | StackOverflowError e) {
                        bad.add(expression + " by '" + start + "' and then '" + pump + "' again and again: "
                                + e.getClass().getSimpleName());
                        return;
                    }
                }
            }
        }
    }

    private static void run(Matcher matcher, Use use) {
        if (use == Use.MATCH) {
            matcher.matches();
        } else {
            while (matcher.find()) {
                matcher.start();
            }
        }
    }

    /** Characters that expressions speak of, and what the expression itself says literally. */
    private static Set<String> pieces(String regex) {
        Set<String> pieces = new LinkedHashSet<>();
        for (char c : "a0Z -.:/@\"<>=?[]()\\\t\r\n%_+\u00e4".toCharArray()) {
            pieces.add(String.valueOf(c));
        }
        regex.chars().limit(40).forEach(c -> pieces.add(String.valueOf((char) c)));
        Matcher literal = Pattern.compile("[A-Za-z0-9\":=_ -]{2,20}").matcher(regex);
        while (literal.find() && pieces.size() < 60) {
            pieces.add(literal.group());
        }
        pieces.addAll(List.of(" a", "a ", "\r\n ", "a.", "a@", "%a", "1-"));
        return pieces;
    }

    private static final class TooManyLooks extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** A text that counts how often it is looked at. */
    private record Counted(CharSequence text, long[] left) implements CharSequence {
        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            if (--left[0] < 0) {
                throw new TooManyLooks();
            }
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
