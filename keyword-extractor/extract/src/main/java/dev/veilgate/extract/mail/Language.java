package dev.veilgate.extract.mail;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.StopwordAnalyzerBase;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.ar.ArabicAnalyzer;
import org.apache.lucene.analysis.bg.BulgarianAnalyzer;
import org.apache.lucene.analysis.cz.CzechAnalyzer;
import org.apache.lucene.analysis.da.DanishAnalyzer;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.el.GreekAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.es.SpanishAnalyzer;
import org.apache.lucene.analysis.fi.FinnishAnalyzer;
import org.apache.lucene.analysis.fr.FrenchAnalyzer;
import org.apache.lucene.analysis.hi.HindiAnalyzer;
import org.apache.lucene.analysis.hu.HungarianAnalyzer;
import org.apache.lucene.analysis.it.ItalianAnalyzer;
import org.apache.lucene.analysis.nl.DutchAnalyzer;
import org.apache.lucene.analysis.no.NorwegianAnalyzer;
import org.apache.lucene.analysis.pt.PortugueseAnalyzer;
import org.apache.lucene.analysis.ro.RomanianAnalyzer;
import org.apache.lucene.analysis.ru.RussianAnalyzer;
import org.apache.lucene.analysis.sv.SwedishAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tr.TurkishAnalyzer;

/** Languages whose words have stems: Lucene's analyzer of each, made when it is first needed. */
enum Language {
    AR(ArabicAnalyzer::new),
    BG(BulgarianAnalyzer::new),
    CS(CzechAnalyzer::new),
    DA(DanishAnalyzer::new),
    DE(GermanAnalyzer::new),
    EL(GreekAnalyzer::new),
    EN(EnglishAnalyzer::new),
    ES(SpanishAnalyzer::new),
    FI(FinnishAnalyzer::new),
    FR(FrenchAnalyzer::new),
    HI(HindiAnalyzer::new),
    HU(HungarianAnalyzer::new),
    IT(ItalianAnalyzer::new),
    NL(DutchAnalyzer::new),
    NO(NorwegianAnalyzer::new),
    PT(PortugueseAnalyzer::new),
    RO(RomanianAnalyzer::new),
    RU(RussianAnalyzer::new),
    SV(SwedishAnalyzer::new),
    TR(TurkishAnalyzer::new);

    private static final Map<Language, Analyzer> ANALYZERS = new ConcurrentHashMap<>();
    private static final Map<String, Language> BY_CODE =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(Language::code, language -> language));

    private final Supplier<Analyzer> maker;

    Language(Supplier<Analyzer> maker) {
        this.maker = maker;
    }

    /** Two letters of ISO 639. */
    String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The field of its stems. */
    String field() {
        return "stem." + code();
    }

    static Optional<Language> ofCode(String code) {
        return Optional.ofNullable(BY_CODE.get(code));
    }

    private Analyzer analyzer() {
        return ANALYZERS.computeIfAbsent(this, language -> language.maker.get());
    }

    /** Words that say nothing but in which language they are. */
    CharArraySet stopWords() {
        // The Dutch one has no such method.
        return analyzer() instanceof StopwordAnalyzerBase base
                ? base.getStopwordSet()
                : DutchAnalyzer.getDefaultStopSet();
    }

    /**
     * Stems of folded words: every term that the analyzer makes of them. Stop words have none.
     *
     * @param words words between blanks
     */
    List<String> stems(CharSequence words) {
        List<String> stems = new ArrayList<>();
        Analyzer analyzer = analyzer();
        try (TokenStream terms = analyzer.tokenStream("stem", words.toString())) {
            CharTermAttribute term = terms.addAttribute(CharTermAttribute.class);
            terms.reset();
            while (terms.incrementToken()) {
                if (!term.isEmpty()) {
                    stems.add(term.toString());
                }
            }
            terms.end();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e); // a string does not fail
        }
        return stems;
    }
}
