package dev.veilgate.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.util.CharTokenizer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.FSDirectory;

/**
 * Lines in an index of plain Lucene, to compare with: words of letters and digits in lower case, and of each line the
 * name of its file and its number, as an archive has them. One thread, all else as Lucene comes.
 */
final class LuceneLines implements AutoCloseable {
    private static final Sort NEWEST = new Sort(new SortField(null, SortField.Type.DOC, true));

    private final FSDirectory directory;
    private final DirectoryReader reader;
    private final IndexSearcher searcher;

    private LuceneLines(FSDirectory directory) throws IOException {
        this.directory = directory;
        this.reader = DirectoryReader.open(directory);
        this.searcher = new IndexSearcher(reader);
    }

    private static final class Words extends Analyzer {
        @Override
        protected TokenStreamComponents createComponents(String field) {
            Tokenizer tokenizer = CharTokenizer.fromTokenCharPredicate(Character::isLetterOrDigit);
            return new TokenStreamComponents(tokenizer, new LowerCaseFilter(tokenizer));
        }
    }

    /** Makes an index, and commits it. */
    static void index(Path index, Path lines) throws IOException {
        try (FSDirectory directory = FSDirectory.open(index);
                Words words = new Words();
                IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(words));
                DirectoryStream<Path> files = Files.newDirectoryStream(lines)) {
            for (Path file : files) {
                int number = 0;
                try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
                    for (String line = in.readLine(); line != null; line = in.readLine()) {
                        number++;
                        Document document = new Document();
                        document.add(new TextField("text", line, Field.Store.NO));
                        document.add(new StoredField("name", file + "#" + number));
                        writer.addDocument(document);
                    }
                }
            }
        }
    }

    static LuceneLines open(Path index) throws IOException {
        return new LuceneLines(FSDirectory.open(index));
    }

    /** Finds a word, or words that begin so; gives the names of the newest 20 lines, and their number in all. */
    long search(ArchiveLines.Ask ask) throws IOException {
        Term term = new Term("text", ask.word());
        Query query = ask.prefix() ? new PrefixQuery(term) : new TermQuery(term);
        TopDocs found = searcher.search(query, 20, NEWEST);
        StoredFields stored = searcher.storedFields();
        for (ScoreDoc each : found.scoreDocs) {
            Sample.sink = stored.document(each.doc).get("name");
        }
        return searcher.count(query);
    }

    @Override
    public void close() throws IOException {
        reader.close();
        directory.close();
    }
}
