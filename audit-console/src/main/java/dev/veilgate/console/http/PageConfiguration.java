package dev.veilgate.console.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.resource.PathResourceResolver;

/** The built web application. Its files have names that change with their content; every other path is the application's own, which the index page reads. */
@Configuration(proxyBeanMethods = false)
class PageConfiguration implements WebMvcConfigurer {
    private static final String FILES = "classpath:/web/";

    /** A resource has a name; the page itself has none. */
    @Override
    public void addViewControllers(ViewControllerRegistry registry) {
        registry.addViewController("/").setViewName("forward:/index.html");
    }

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        registry.addResourceHandler("/assets/**")
                .addResourceLocations(FILES + "assets/")
                .setCacheControl(
                        CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable());
        registry.addResourceHandler("/provider/*.css").addResourceLocations("classpath:/provider/");
        registry.addResourceHandler("/**")
                .addResourceLocations(FILES)
                .setCacheControl(CacheControl.noStore())
                .resourceChain(true)
                .addResolver(new PathResourceResolver() {
                    @Override
                    protected @Nullable Resource getResource(String path, Resource location)
                            throws java.io.IOException {
                        Resource file = super.getResource(path, location);
                        if (file != null) {
                            return file;
                        }
                        boolean isPage = !path.startsWith("api/") && !path.contains(".");
                        return isPage ? super.getResource("index.html", location) : null;
                    }
                });
    }
}
