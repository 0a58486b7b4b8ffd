package dev.veilgate.benchmarks;

import dev.veilgate.peks.Keyword;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Documents that the studies of symmetric schemes index: articles, and rows of tables. */
final class SseData {
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]+");
    private static final Pattern HEADER = Pattern.compile("(?m)^([A-Za-z-]{1,30}): (.{1,200})$");
    private static final int COLUMNS = 20;
    private static final int LONGEST = 64;

    private SseData() {}

    /**
     * The articles of a newsgroup, as the study of mobile devices has them; made ones if there are none.
     *
     * @param data the folder of real data, or null
     * @param most articles
     */
    static List<Document> articles(@Nullable Path data, int most) throws IOException {
        if (data == null) {
            return madeArticles(most);
        }
        List<Document> articles = new ArrayList<>();
        try (Stream<Path> files = Files.list(data.resolve("newsgroups/alt.atheism"))) {
            for (Path file : files.sorted().limit(most).toList()) {
                articles.add(document(articles.size(), Files.readString(file, StandardCharsets.ISO_8859_1)));
            }
        }
        return articles;
    }

    private static List<Document> madeArticles(int count) {
        Random random = new Random(1);
        List<Document> articles = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            StringBuilder text = new StringBuilder();
            for (int j = 0; j < 300; j++) {
                text.append("word")
                        .append((int) Math.pow(20_000, random.nextDouble()))
                        .append(' ');
            }
            articles.add(document(i, text.toString()));
        }
        return articles;
    }

    /** A document of a text: its runs of letters and digits, in small letters. */
    private static Document document(long id, String text) {
        TreeMap<Keyword, Integer> words = new TreeMap<>();
        Matcher matcher = WORD.matcher(text.toLowerCase(Locale.ROOT));
        while (matcher.find()) {
            if (matcher.group().length() <= LONGEST) {
                words.merge(Keyword.text("text", matcher.group()), 1, Integer::sum);
            }
        }
        return new Document(new DocumentId(id), words);
    }

    /** All words of documents. */
    static List<Keyword> words(List<Document> documents) {
        SortedSet<Keyword> words = new TreeSet<>();
        documents.forEach(document -> words.addAll(document.words().keySet()));
        return List.copyOf(words);
    }

    /** Made people: rows of twenty columns, as many different values a column as such a table has. */
    static List<Document> people(int rows) {
        Random random = new Random(2);
        int[] values = {
            100_000, 3_000, 20_000, 500, 50, 100_000, 90_000, 20_000, 100, 5, 200, 1_000, 60_000, 12, 31, 80, 100_000,
            3, 40, 10_000
        };
        List<Document> people = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            TreeMap<Keyword, Integer> words = new TreeMap<>();
            for (int column = 0; column < COLUMNS; column++) {
                words.put(Keyword.text("column" + column, "value" + random.nextInt(values[column])), 1);
            }
            people.add(new Document(new DocumentId(row), words));
        }
        return people;
    }

    /** Headers of real mails as rows: a column for each of the twenty commonest names; repeated if too few. */
    static List<Document> headers(Path data, int rows) throws IOException {
        List<TreeMap<String, String>> mails = new ArrayList<>();
        TreeMap<String, Integer> names = new TreeMap<>();
        try (Stream<Path> files = Files.list(data.resolve("mail"))) {
            for (Path file : files.sorted().toList()) {
                String text = Files.readString(file, StandardCharsets.ISO_8859_1);
                TreeMap<String, String> mail = new TreeMap<>();
                Matcher matcher = HEADER.matcher(text.substring(0, Math.max(0, text.indexOf("\n\n"))));
                while (matcher.find()) {
                    String name = matcher.group(1).toLowerCase(Locale.ROOT);
                    mail.put(name, matcher.group(2).strip());
                }
                mail.keySet().forEach(name -> names.merge(name, 1, Integer::sum));
                mails.add(mail);
            }
        }
        List<String> columns = names.entrySet().stream()
                .sorted((a, b) -> b.getValue() - a.getValue())
                .limit(COLUMNS)
                .map(Map.Entry::getKey)
                .toList();
        List<Document> table = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            TreeMap<String, String> mail = mails.get(row % mails.size());
            TreeMap<Keyword, Integer> words = new TreeMap<>();
            for (String column : columns) {
                String value = mail.getOrDefault(column, "").toLowerCase(Locale.ROOT);
                if (!value.isBlank()) {
                    words.put(Keyword.text(column, value), 1);
                }
            }
            table.add(new Document(new DocumentId(row), words));
        }
        return table;
    }

    /** Documents that have one word, which all have. */
    static List<Document> ofOneWord(Keyword word, int from, int to) {
        Document[] documents = new Document[to - from];
        Arrays.setAll(documents, i -> Document.of(new DocumentId(from + i), List.of(word)));
        return List.of(documents);
    }
}
