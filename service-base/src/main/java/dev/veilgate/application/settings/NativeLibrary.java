package dev.veilgate.application.settings;

import dev.veilgate.pq.PostQuantum;
import dev.veilgate.pq.UnfitLibraryException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Setting {@code veilgate.native.liboqs}: liboqs, where it names that, computes the post-quantum algorithms before
 * anything has a key, and says in the log who computes them. A library that was asked for and is unfit stops the start.
 */
public final class NativeLibrary implements BeanFactoryPostProcessor, PriorityOrdered {
    /** Key of the setting. Without it, or with a blank, Java computes. */
    public static final String SETTING = "veilgate.native.liboqs";

    private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);

    /** The library of an application, which its settings may name. */
    public NativeLibrary() {}

    /** @throws IllegalArgumentException saying what is wrong with the library */
    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        String library = beans.getBean(ConfigurableEnvironment.class)
                .getProperty(SETTING, "")
                .strip();
        if (!library.isEmpty()) {
            use(Path.of(library));
        }
        LOG.info("post-quantum algorithms by {}", PostQuantum.current().description());
    }

    private static void use(Path library) {
        try {
            PostQuantum.useNative(library);
        } catch (UnfitLibraryException e) {
            // without the cause: the command tells the innermost one, and here this message says what to do
            LOG.debug("liboqs was refused", e);
            throw new IllegalArgumentException(SETTING + ": " + e.getMessage());
        }
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }
}
