package dev.veilgate.console;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.context.ContextConfiguration;

/** The whole console with keys of its own, opened, and {@link StubGateway} for a gateway. All such tests share one: each uses users of its own. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(classes = {ConsoleApplication.class, TestConsole.Beans.class})
@AutoConfigureMockMvc
@ContextConfiguration(initializers = TestConsole.class)
public @interface ConsoleTest {}
