package dev.veilgate.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may be signed for as whom. */
class OwnedAddressesTest {
    private static OwnedAddresses parse(String text) throws SettingsException {
        return OwnedAddresses.parse("mail.sign-as: ", text);
    }

    @Test
    void byDefaultTheLoginIsOwnedIfItIsAnAddress() throws Exception {
        for (OwnedAddresses owned : new OwnedAddresses[] {OwnedAddresses.DEFAULT, parse("login"), parse("")}) {
            assertThat(owned.isOwned("Ada@acme.example", "ada@acme.example")).isTrue();
            assertThat(owned.isOwned("ada@acme.example", "boss@acme.example")).isFalse();
            assertThat(owned.isOwned("ada", "ada@acme.example")).isFalse();
            assertThat(owned.isOwned(null, "ada@acme.example")).isFalse();
            assertThat(owned.isOwnedByHolder()).isTrue();
        }
    }

    @Test
    void loginsThatAreNamedOwnWhatIsSaidAndNothingElse() throws Exception {
        OwnedAddresses owned = parse("login; Ada = login, Info@acme.example; crm = @acme.example; scan = tenant;"
                + " eve@acme.example = sales@acme.example");
        assertThat(owned.isOwned("ada", "info@acme.example")).isTrue();
        assertThat(owned.isOwned("ada", "sales@acme.example")).isFalse();
        assertThat(owned.isOwned("crm", "anybody@acme.example")).isTrue();
        assertThat(owned.isOwned("crm", "anybody@sub.acme.example")).isFalse();
        assertThat(owned.isOwned("crm", "anybody@notacme.example")).isFalse();
        assertThat(owned.isOwned("scan", "scan")).isFalse();
        assertThat(owned.isOwned("eve@acme.example", "eve@acme.example")).isFalse();
        assertThat(owned.isOwned("eve@acme.example", "sales@acme.example")).isTrue();
        assertThat(owned.isOwned("bob@acme.example", "bob@acme.example")).isTrue();
    }

    @Test
    void whereverNobodyLogsInAllMayBeSignedForIfThatIsSaid() throws Exception {
        assertThat(parse("from").isOwned(null, "boss@acme.example")).isTrue();
        assertThat(parse("from").isAnyOwnedWithoutLogin()).isTrue();
        assertThat(parse("info@acme.example").isAnyOwnedWithoutLogin()).isTrue();
        assertThat(parse("login; ada = from").isAnyOwnedWithoutLogin()).isFalse();
        assertThat(parse("tenant").isAnyOwnedWithoutLogin()).isFalse();
        assertThat(parse("from; ada = login").isOwned("ada", "boss@acme.example"))
                .isFalse();
        assertThat(parse("tenant").isOwned(null, "boss@acme.example")).isFalse();
        assertThat(parse("tenant").isOwnedByHolder()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"boss", "ada = ", "= login", "a b = login", "tenant, login", "login; login", "ada=a@;", "@"})
    void refusesWhatIsNoneOfThese(String text) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("mail.sign-as: ");
    }
}
