package dev.veilgate.extract.mail;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.tika.detect.microsoft.POIFSContainerDetector;
import org.apache.tika.detect.zip.DefaultZipContainerDetector;
import org.apache.tika.metadata.Metadata;
import org.apache.tika.mime.MediaType;
import org.apache.tika.mime.MimeTypes;
import org.apache.tika.parser.ParseContext;
import org.apache.tika.parser.Parser;
import org.apache.tika.parser.microsoft.OfficeParser;
import org.apache.tika.parser.microsoft.OfficeParserConfig;
import org.apache.tika.parser.microsoft.TNEFParser;
import org.apache.tika.parser.microsoft.ooxml.OOXMLParser;
import org.apache.tika.parser.microsoft.rtf.RTFParser;
import org.apache.tika.parser.pdf.PDFParser;
import org.apache.tika.parser.pdf.PDFParserConfig;
import org.jspecify.annotations.Nullable;

/** The parsers of Tika that are used, by name: no other that happens to be on the class path, none that runs programs or recognises characters. */
final class TikaParsers {
    private final Map<String, Parser> byType = new HashMap<>();
    private final MimeTypes types = MimeTypes.getDefaultMimeTypes();
    private final POIFSContainerDetector ole = new POIFSContainerDetector();
    private final DefaultZipContainerDetector zip = new DefaultZipContainerDetector();
    private final PDFParserConfig pdf = new PDFParserConfig();
    private final OfficeParserConfig office = new OfficeParserConfig();

    private TikaParsers() {
        pdf.setOcrStrategy(PDFParserConfig.OCR_STRATEGY.NO_OCR);
        pdf.setExtractInlineImages(false);
        pdf.setSortByPosition(false);
        pdf.setExtractFontNames(false);
        office.setUseSAXDocxExtractor(true);
        office.setUseSAXPptxExtractor(true);
        office.setExtractMacros(false);
        for (Parser parser :
                new Parser[] {new PDFParser(), new OfficeParser(), new OOXMLParser(), new RTFParser(), new TNEFParser()
                }) {
            for (MediaType type : parser.getSupportedTypes(new ParseContext())) {
                byType.put(type.toString(), parser);
            }
        }
    }

    private static final class All {
        static final TikaParsers PARSERS = new TikaParsers();
    }

    static TikaParsers all() {
        return All.PARSERS;
    }

    /** Who reads a type, or null. */
    @Nullable
    Parser of(String type) {
        return byType.get(type);
    }

    ParseContext context() {
        ParseContext context = new ParseContext();
        context.set(PDFParserConfig.class, pdf);
        context.set(OfficeParserConfig.class, office);
        return context;
    }

    /** The type of the bytes, without parameters; the declared one where they do not tell. */
    String detect(byte[] bytes, String declared) throws IOException {
        Metadata metadata = new Metadata();
        if (!declared.isEmpty() && !declared.equals("application/octet-stream")) {
            metadata.set(Metadata.CONTENT_TYPE, declared);
        }
        MediaType type = types.detect(new ByteArrayInputStream(bytes), metadata);
        String base = type.getBaseType().toString();
        if (base.contains("ole")
                || base.equals("application/x-tika-msoffice")
                || startsWith(bytes, 0xD0, 0xCF, 0x11, 0xE0)) {
            base = ole.detect(new ByteArrayInputStream(bytes), metadata)
                    .getBaseType()
                    .toString();
        } else if (startsWith(bytes, 'P', 'K', 3, 4)) {
            base = zip.detect(new ByteArrayInputStream(bytes), metadata)
                    .getBaseType()
                    .toString();
        }
        return base;
    }

    private static boolean startsWith(byte[] bytes, int... start) {
        for (int i = 0; i < start.length; i++) {
            if (i >= bytes.length || (bytes[i] & 0xff) != start[i]) {
                return false;
            }
        }
        return true;
    }
}
