package dev.veilgate.pq;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.veilgate.secret.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.NoSuchElementException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The functions of liboqs that are used, by name and not through its tables, whose layout changes between versions. All
 * random bytes that it takes come from {@link #coins}: the bytes of the call that is being made, so that results follow
 * from seeds and coins as everywhere here.
 */
@Secret
@SuppressWarnings("restricted") // calls of a native library are what this class is for
final class Liboqs implements PostQuantumProvider {
    /** The first version with keys of ML-KEM from a seed. */
    private static final Version OLDEST = new Version(0, 13);

    private static final int VERSION_BYTES = 64;

    private static final Pattern VERSION = Pattern.compile("([0-9]{1,4})\\.([0-9]{1,4})\\..{1,40}");

    /** Most bytes that are read of the file of a sum. */
    private static final int MAX_SUM_BYTES = 1024;

    private final String version;
    private final Kem mlKem768;
    private final Kem frodoKem976;
    private final SignatureScheme mlDsa65;

    private record Version(int major, int minor) {
        boolean before(Version other) {
            return major < other.major || (major == other.major && minor < other.minor);
        }
    }

    private Liboqs(String version, Functions functions) {
        this.version = version;
        mlKem768 = new LiboqsKem(Platform.INSTANCE.mlKem768(), 2400, functions.kem("ml_kem_768", true));
        frodoKem976 = new LiboqsKem(Platform.INSTANCE.frodoKem976(), 31296, functions.kem("frodokem_976_aes", false));
        mlDsa65 = new LiboqsMlDsa65(functions.signature("ml_dsa_65"));
    }

    /** Loads and checks it. */
    static Liboqs load(Path library) throws UnfitLibraryException {
        checkSum(library);
        SymbolLookup symbols;
        try {
            symbols = SymbolLookup.libraryLookup(library.toAbsolutePath(), Arena.global());
        } catch (IllegalArgumentException e) {
            throw new UnfitLibraryException(library + " cannot be loaded as a library of this system", e);
        }
        Functions functions = new Functions(symbols);
        Liboqs liboqs;
        try {
            String version = functions.version();
            Matcher matcher = VERSION.matcher(version);
            if (!matcher.matches()
                    || new Version(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)))
                            .before(OLDEST)) {
                throw new UnfitLibraryException(library + " is liboqs " + version + "; 0.13.0 or later is needed");
            }
            functions.start();
            liboqs = new Liboqs(version, functions);
        } catch (NoSuchElementException e) {
            throw new UnfitLibraryException(
                    library + " is no liboqs, or one without the algorithms that are used: " + e.getMessage(), e);
        }
        Agreement.check(library, liboqs, Platform.INSTANCE);
        return liboqs;
    }

    /** A text that ends with a zero, of a library that is not known yet. */
    static String text(MemorySegment text) throws UnfitLibraryException {
        try {
            return text.getString(0, StandardCharsets.ISO_8859_1);
        } catch (IndexOutOfBoundsException e) {
            throw new UnfitLibraryException("it is no liboqs: its version does not end", e);
        }
    }

    private static void checkSum(Path library) throws UnfitLibraryException {
        if (!Files.isRegularFile(library)) {
            throw new UnfitLibraryException("there is no file " + library);
        }
        Path sum = library.resolveSibling(library.getFileName() + ".sha256");
        if (!Files.exists(sum)) {
            return;
        }
        if (!Files.isRegularFile(sum)) {
            throw new UnfitLibraryException(sum + " is no file; it must hold the SHA-256 of " + library);
        }
        try {
            String wanted = firstWord(sum);
            String found = HexFormat.of().formatHex(digest(library));
            if (!found.equals(wanted)) {
                throw new UnfitLibraryException(
                        library + " is not the file that was installed: its SHA-256 is not the one in " + sum);
            }
        } catch (IOException e) {
            throw new UnfitLibraryException(library + " or its sum cannot be read: " + e, e);
        }
    }

    /** The sum in a file as sha256sum writes it. */
    private static String firstWord(Path sum) throws IOException {
        try (InputStream in = Files.newInputStream(sum)) {
            String begin = new String(in.readNBytes(MAX_SUM_BYTES), StandardCharsets.ISO_8859_1);
            return begin.strip().split("\\s", 2)[0];
        }
    }

    /** SHA-256 of a file of any size: an agent has little memory, and somebody may name a file by mistake. */
    private static byte[] digest(Path library) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
        byte[] piece = new byte[1 << 16];
        try (InputStream in = Files.newInputStream(library)) {
            for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                digest.update(piece, 0, length);
            }
        }
        return digest.digest();
    }

    @Override
    public String name() {
        return "native";
    }

    @Override
    public String description() {
        return "liboqs " + version;
    }

    @Override
    public Kem mlKem768() {
        return mlKem768;
    }

    @Override
    public Kem frodoKem976() {
        return frodoKem976;
    }

    @Override
    public SignatureScheme mlDsa65() {
        return mlDsa65;
    }

    /** The same as of {@code platform}, for liboqs 0.13 has SPHINCS+ of before FIPS 205. */
    @Override
    public SignatureScheme slhDsaSha2128f() {
        return Platform.INSTANCE.slhDsaSha2128f();
    }

    /** Random bytes of the call that a thread is making. */
    private static final ThreadLocal<@Nullable Coins> COINS = new ThreadLocal<>();

    private static final class Coins {
        private final byte[] bytes;
        private int used;
        private boolean exhausted;

        Coins(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    /** A call into the library. */
    interface Call {
        int run() throws Throwable;
    }

    /**
     * Makes a call that takes its random bytes from these, in this order, all of them.
     *
     * @throws IllegalStateException if it fails, or takes more or fewer
     */
    static void withCoins(String what, byte[] bytes, Call call) {
        Coins coins = new Coins(bytes);
        COINS.set(coins);
        try {
            run(what, call);
        } finally {
            COINS.remove();
        }
        if (coins.exhausted || coins.used != bytes.length) {
            throw new IllegalStateException(what + " takes other random bytes than its standard says");
        }
    }

    /** @throws IllegalStateException if the call fails */
    static void run(String what, Call call) {
        if (status(call) != 0) {
            throw new IllegalStateException("liboqs failed at " + what);
        }
    }

    /** Makes a call; its return value. */
    static int status(Call call) {
        try {
            return call.run();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Gives the library the random bytes that it asks for. Nothing may be thrown from here, which would end the
     * process; what goes wrong is seen by {@link #withCoins}.
     */
    static void coins(MemorySegment out, long length) {
        Coins coins = COINS.get();
        if (coins == null || length > coins.bytes.length - coins.used) {
            // No caller of ours: random bytes, and never those of another call.
            byte[] fresh = new byte[(int) length];
            new SecureRandom().nextBytes(fresh);
            MemorySegment.copy(MemorySegment.ofArray(fresh), 0, out.reinterpret(length), 0, length);
            if (coins != null) {
                coins.exhausted = true;
            }
            return;
        }
        MemorySegment.copy(MemorySegment.ofArray(coins.bytes), coins.used, out.reinterpret(length), 0, length);
        coins.used += (int) length;
    }

    /** Handles of the functions. */
    private static final class Functions {
        private final Linker linker = Linker.nativeLinker();
        private final SymbolLookup symbols;

        Functions(SymbolLookup symbols) {
            this.symbols = symbols;
        }

        private MethodHandle handle(String name, FunctionDescriptor descriptor) {
            return linker.downcallHandle(
                    symbols.find(name).orElseThrow(() -> new NoSuchElementException("it has no " + name)), descriptor);
        }

        private MethodHandle status(String name, MemoryLayout... arguments) {
            return handle(name, FunctionDescriptor.of(JAVA_INT, arguments));
        }

        String version() throws UnfitLibraryException {
            MethodHandle version = handle("OQS_version", FunctionDescriptor.of(ADDRESS));
            try {
                return text(((MemorySegment) version.invokeExact()).reinterpret(VERSION_BYTES));
            } catch (UnfitLibraryException e) {
                throw e;
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }

        /** Lets it look at the processor, and gives it our random bytes. */
        void start() {
            MethodHandle init = handle("OQS_init", FunctionDescriptor.ofVoid());
            MethodHandle random = handle("OQS_randombytes_custom_algorithm", FunctionDescriptor.ofVoid(ADDRESS));
            try {
                MethodHandle coins = MethodHandles.lookup()
                        .findStatic(
                                Liboqs.class,
                                "coins",
                                MethodType.methodType(void.class, MemorySegment.class, long.class));
                MemorySegment stub =
                        linker.upcallStub(coins, FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG), Arena.global());
                init.invokeExact();
                random.invokeExact(stub);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }

        LiboqsKem.Functions kem(String name, boolean seeded) {
            String prefix = "OQS_KEM_" + name + "_";
            return new LiboqsKem.Functions(
                    seeded
                            ? status(prefix + "keypair_derand", ADDRESS, ADDRESS, ADDRESS)
                            : status(prefix + "keypair", ADDRESS, ADDRESS),
                    seeded,
                    status(prefix + "encaps", ADDRESS, ADDRESS, ADDRESS),
                    status(prefix + "decaps", ADDRESS, ADDRESS, ADDRESS));
        }

        LiboqsMlDsa65.Functions signature(String name) {
            String prefix = "OQS_SIG_" + name + "_";
            return new LiboqsMlDsa65.Functions(
                    status(prefix + "keypair", ADDRESS, ADDRESS),
                    status(prefix + "sign", ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS),
                    status(prefix + "verify", ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS));
        }
    }
}
