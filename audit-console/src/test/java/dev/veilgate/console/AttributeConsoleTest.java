package dev.veilgate.console;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.context.ContextConfiguration;

/** As {@link ConsoleTest}, with an index that is searched by attributes: {@link TestConsole#INDEX_POLICY}. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(classes = {ConsoleApplication.class, TestConsole.Beans.class})
@AutoConfigureMockMvc
@ContextConfiguration(initializers = TestConsole.SearchedByAttributes.class)
public @interface AttributeConsoleTest {}
