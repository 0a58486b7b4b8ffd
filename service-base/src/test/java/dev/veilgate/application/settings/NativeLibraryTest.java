package dev.veilgate.application.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.veilgate.pq.PostQuantum;
import dev.veilgate.pq.PostQuantumProvider;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** The setting that names liboqs. That a library which is fit is used is tested with the whole gateway. */
class NativeLibraryTest {
    private static void start(Map<String, Object> settings) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", settings));
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerSingleton("environment", environment);
        new NativeLibrary().postProcessBeanFactory(beans);
    }

    @Test
    void withoutTheSettingOrWithABlankOneJavaComputes() {
        PostQuantumProvider before = PostQuantum.current();
        start(Map.of());
        start(Map.of(NativeLibrary.SETTING, " "));
        assertThat(PostQuantum.current()).isSameAs(before).isSameAs(PostQuantum.platform());
    }

    @Test
    void aLibraryThatIsNotThereStopsTheStartAndIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> start(Map.of(NativeLibrary.SETTING, "/absent/liboqs.so")))
                .withMessage("veilgate.native.liboqs: there is no file /absent/liboqs.so")
                .withNoCause();
        assertThat(PostQuantum.current()).isSameAs(PostQuantum.platform());
    }
}
