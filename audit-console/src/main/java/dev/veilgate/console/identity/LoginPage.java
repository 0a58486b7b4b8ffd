package dev.veilgate.console.identity;

import dev.veilgate.console.identity.LoginSettings.Login;
import dev.veilgate.console.settings.ConsoleSettings;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.http.MediaType;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.HtmlUtils;

/** Where users of the embedded provider type their passwords. */
@RestController
@ConditionalOnProperty(name = "veilgate.login.issuer", matchIfMissing = true, havingValue = "none")
class LoginPage {
    private final LoginSettings login;
    private final ConsoleSettings console;

    LoginPage(LoginSettings login, ConsoleSettings console) {
        this.login = login;
        this.console = console;
    }

    @GetMapping(path = EmbeddedProvider.LOGIN_PAGE, produces = MediaType.TEXT_HTML_VALUE + ";charset=UTF-8")
    String page(
            @RequestParam(required = false) @Nullable String wrong,
            @RequestParam(required = false) @Nullable Integer wait,
            CsrfToken csrf) {
        return """
                <!doctype html>
                <html lang="en">
                <head>
                  <meta charset="utf-8">
                  <meta name="viewport" content="width=device-width">
                  <title>Log in to Veilgate</title>
                  <link rel="stylesheet" href="/provider/login.css">
                </head>
                <body>
                  <main>
                    <h1>Veilgate</h1>
                    <p>Log in to the audit console.</p>
                    %s
                    <form method="post" action="%s">
                      <input type="hidden" name="%s" value="%s">
                      <label for="username">User name</label>
                      <input id="username" name="username" autocomplete="username" autofocus required>
                      <label for="password">Password</label>
                      <input id="password" name="password" type="password" autocomplete="current-password" required>
                      <button type="submit">Log in</button>
                    </form>
                    %s
                  </main>
                </body>
                </html>
                """.formatted(
                        problem(wrong, wait),
                        EmbeddedProvider.LOGIN_PAGE,
                        HtmlUtils.htmlEscape(csrf.getParameterName()),
                        HtmlUtils.htmlEscape(csrf.getToken()),
                        login.isDemo() ? demoUsers() : "");
    }

    private static String problem(@Nullable String wrong, @Nullable Integer wait) {
        if (wrong == null && wait == null) {
            return "";
        }
        String text = wait == null
                ? "User name or password is wrong."
                : "There were too many wrong passwords for this name, or from this address: this one was not looked at. Wait "
                        + wait + " seconds.";
        return "<p class=\"wrong\" role=\"alert\">" + text + "</p>";
    }

    private String demoUsers() {
        return "<section><h2>Demonstration</h2><p>The password of each is <code>" + LoginSettings.DEMO_PASSWORD
                + "</code>.</p><dl>"
                + login.usersAt(console).stream().map(LoginPage::described).collect(Collectors.joining())
                + "</dl></section>";
    }

    private static String described(Login user) {
        String attributes = user.attributes().isEmpty() ? "no attributes" : String.join(", ", user.attributes());
        return "<dt>" + HtmlUtils.htmlEscape(user.name()) + "</dt><dd>"
                + HtmlUtils.htmlEscape(String.join(", ", user.roles()) + "; " + attributes) + "</dd>";
    }
}
