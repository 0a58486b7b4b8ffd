package dev.veilgate.console.http;

import java.net.URI;

/** What browsers are told to allow. */
public final class Headers {
    /** Nothing from elsewhere, no script but ours; what a mail brings is shown in a frame without rights. What forms may lead to comes last. */
    private static final String POLICY = String.join(
            "; ",
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data:",
            "font-src 'self'",
            "connect-src 'self'",
            "manifest-src 'self'",
            "frame-src 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
            "form-action 'self'");

    private Headers() {}

    /** The header's value where forms lead nowhere else. */
    public static String contentSecurityPolicy() {
        return POLICY;
    }

    /** The header's value where a form's answer may lead to another origin: a log out to the provider. */
    public static String contentSecurityPolicy(URI formsLeadTo) {
        return POLICY + " " + formsLeadTo.getScheme() + "://" + formsLeadTo.getRawAuthority();
    }
}
