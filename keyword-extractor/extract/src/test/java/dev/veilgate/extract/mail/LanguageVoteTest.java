package dev.veilgate.extract.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.KeywordText;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which language a text is taken for, and that its stems are those of its analyzer. */
class LanguageVoteTest {
    private static String vote(String text) {
        List<String> words = MailWords.tokens(text, false);
        return LanguageVote.of(words).map(Language::code).orElse("none");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "en | Please check the pump before you leave, because it was too hot yesterday and the log is full of warnings.",
                "de | Bitte pr\u00fcfen Sie die Pumpe, bevor Sie gehen, denn sie war gestern zu hei\u00df und das Protokoll ist voll von Warnungen.",
                "fr | Merci de v\u00e9rifier la pompe avant de partir, car elle \u00e9tait trop chaude hier et le journal est plein de messages.",
                "es | Por favor, revise la bomba antes de salir, porque ayer estaba muy caliente y el registro tiene muchos avisos para usted.",
                "it | Per favore controlli la pompa prima di uscire, perch\u00e9 ieri era troppo calda e il registro \u00e8 pieno di avvisi per noi.",
                "pt | Por favor, verifique a bomba antes de sair, porque ontem ela estava muito quente e o registo n\u00e3o tem mais espa\u00e7o para os avisos.",
                "nl | Controleer de pomp voordat u weggaat, want ze was gisteren te heet en het logboek is vol met waarschuwingen van deze week.",
                "sv | Kontrollera pumpen innan du g\u00e5r, eftersom den var f\u00f6r varm i g\u00e5r och loggen \u00e4r full av varningar som inte har l\u00e4sts.",
                "fi | Tarkista pumppu ennen kuin l\u00e4hdet, koska se oli eilen liian kuuma ja loki on t\u00e4ynn\u00e4 varoituksia, joita ei ole luettu.",
                "ru | \u041f\u0440\u043e\u0432\u0435\u0440\u044c\u0442\u0435 \u043d\u0430\u0441\u043e\u0441, \u043f\u043e\u0442\u043e\u043c\u0443 \u0447\u0442\u043e \u043e\u043d \u0431\u044b\u043b \u0441\u043b\u0438\u0448\u043a\u043e\u043c \u0433\u043e\u0440\u044f\u0447\u0438\u043c, \u0438 \u0432 \u0436\u0443\u0440\u043d\u0430\u043b\u0435 \u0435\u0441\u0442\u044c \u043f\u0440\u0435\u0434\u0443\u043f\u0440\u0435\u0436\u0434\u0435\u043d\u0438\u044f \u043e\u0442 \u043d\u0435\u0433\u043e \u0437\u0430 \u044d\u0442\u043e\u0442 \u0434\u0435\u043d\u044c.",
                "el | \u0395\u03bb\u03ad\u03b3\u03be\u03c4\u03b5 \u03c4\u03b7\u03bd \u03b1\u03bd\u03c4\u03bb\u03af\u03b1 \u03c0\u03c1\u03b9\u03bd \u03c6\u03cd\u03b3\u03b5\u03c4\u03b5",
                "tr | L\u00fctfen gitmeden \u00f6nce pompay\u0131 kontrol edin, \u00e7\u00fcnk\u00fc d\u00fcn \u00e7ok s\u0131cakt\u0131 ve bu g\u00fcnl\u00fck uyar\u0131larla dolu, ama hi\u00e7 kimse bunlar\u0131 daha okumad\u0131.",
                "none | pump 7 offline",
                "none | qwerty asdf zxcv uiop hjkl bnm tyui ghjk"
            })
    void tellsTheLanguage(String expected, String text) {
        assertThat(vote(text)).isEqualTo(expected);
    }

    @Test
    void saysNothingOfNothing() {
        assertThat(vote("")).isEqualTo("none");
    }

    @Test
    void danishAndNorwegianAreTakenForOneOfThem() {
        assertThat(
                        vote(
                                "Sjekk pumpen f\u00f8r du g\u00e5r, fordi den var for varm i g\u00e5r og loggen er full av advarsler som ingen har lest enn\u00e5."))
                .isIn("no", "da", "none");
    }

    @Test
    void everyLanguageStemsFoldedWords() {
        for (Language language : Language.values()) {
            assertThat(language.stems(KeywordText.fold("Pumpenwarnung telefon radio")))
                    .as(language.code())
                    .hasSize(3);
            assertThat(language.stopWords()).as(language.code()).isNotEmpty();
        }
        assertThat(Language.EN.stems("running runs ran the")).containsExactly("run", "run", "ran");
        assertThat(Language.DE.stems("pumpen h\u00e4user")).containsExactly("pump", "haus");
    }
}
