package dev.veilgate.keycloak;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The authorization code flow of the client veilgate-console, with the parts of browser and console both played here. */
final class ConsoleLogin {
    private static final String CLIENT = "veilgate-console";
    private static final Pattern FORM = Pattern.compile("<form[^>]*\\saction=\"([^\"]+)\"");
    private static final Pattern CODE = Pattern.compile("[?&]code=([^&]+)");

    private final HttpClient http;
    private final String endpoints;
    private final String secret;
    private final String redirect;

    ConsoleLogin(HttpClient http, String issuer, String secret, String console) {
        this.http = http;
        this.endpoints = issuer + "/protocol/openid-connect/";
        this.secret = secret;
        this.redirect = console + "/login/oauth2/code/veilgate";
    }

    KeycloakServer.Tokens login(String user, String password) throws IOException, InterruptedException {
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        String verifier = base64(random);
        HttpResponse<String> page = http.send(
                HttpRequest.newBuilder(URI.create(endpoints + "auth?"
                                + form(Map.of(
                                        "response_type",
                                        "code",
                                        "client_id",
                                        CLIENT,
                                        "redirect_uri",
                                        redirect,
                                        "scope",
                                        "openid",
                                        "code_challenge",
                                        base64(sha256(verifier)),
                                        "code_challenge_method",
                                        "S256"))))
                        .build(),
                BodyHandlers.ofString());
        HttpResponse<String> posted = http.send(
                post(
                                find(FORM, page.body(), "a login form").replace("&amp;", "&"),
                                Map.of("username", user, "password", password))
                        .header("Cookie", cookies(page))
                        .build(),
                BodyHandlers.ofString());
        String code = find(CODE, posted.headers().firstValue("Location").orElse(""), "a code for " + user);
        HttpResponse<String> redeemed = http.send(
                post(
                                endpoints + "token",
                                Map.of(
                                        "grant_type", "authorization_code",
                                        "code", code,
                                        "redirect_uri", redirect,
                                        "client_id", CLIENT,
                                        "client_secret", secret,
                                        "code_verifier", verifier))
                        .build(),
                BodyHandlers.ofString());
        return new KeycloakServer.Tokens(
                token("access_token", redeemed), token("id_token", redeemed), token("refresh_token", redeemed));
    }

    private static String token(String name, HttpResponse<String> answer) throws IOException {
        return find(Pattern.compile('"' + name + "\":\"([^\"]+)\""), answer.body(), name);
    }

    private static String find(Pattern pattern, String in, String what) throws IOException {
        Matcher matcher = pattern.matcher(in);
        if (!matcher.find()) {
            throw new IOException("Keycloak does not give " + what);
        }
        return matcher.group(1);
    }

    /** They are marked for TLS only, which a cookie store would obey. */
    private static String cookies(HttpResponse<?> answer) {
        return answer.headers().allValues("Set-Cookie").stream()
                .map(cookie -> cookie.substring(0, cookie.indexOf(';')))
                .collect(Collectors.joining("; "));
    }

    private static HttpRequest.Builder post(String address, Map<String, String> fields) {
        return HttpRequest.newBuilder(URI.create(address))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form(fields)));
    }

    private static String form(Map<String, String> fields) {
        return new TreeMap<>(fields)
                .entrySet().stream()
                        .map(field ->
                                field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&"));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
