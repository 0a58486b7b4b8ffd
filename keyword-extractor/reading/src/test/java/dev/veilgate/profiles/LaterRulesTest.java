package dev.veilgate.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.envelope.NextProfile;
import dev.veilgate.envelope.PublicBundle.Epoch;
import dev.veilgate.extract.ExtractorProfile;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes of a tenant's later rules that an operator may make, epoch by epoch, and those that are refused. */
class LaterRulesTest {
    private static final Instant NOVEMBER = Instant.parse("2026-11-21T12:00:00Z");
    private static final Instant JANUARY = Instant.parse("2027-01-05T12:00:00Z");
    private static final ExtractorProfile RULES_2 =
            ExtractorProfile.defaults().withIpPrefixes(16).withRules(2);

    private static TenantKeys fresh;
    private static TenantKeys known;

    private TenantKeys keys;

    @BeforeAll
    static void make() {
        fresh = generate();
        known = generate();
        known.nextBundle(NOVEMBER, Duration.ofDays(90));
    }

    private static TenantKeys generate() {
        byte[] profile = ExtractorProfile.defaults().withIpPrefixes(16).encode();
        return TenantKeys.generate("acme", EpochPolicy.MONTHLY, profile, new SecureRandom(), NOVEMBER);
    }

    @BeforeEach
    void begin() {
        keys = known;
        set(null);
    }

    @AfterAll
    static void end() {
        fresh.close();
        known.close();
    }

    private static Epoch epoch(String name) {
        return EpochPolicy.MONTHLY.named(name);
    }

    private void set(@Nullable NextProfile next) {
        keys.setProfiles(keys.profiles().withNext(next));
    }

    private void use(String from, @Nullable String aloneFrom) {
        set(new NextProfile(RULES_2.encode(), epoch(from), aloneFrom == null ? null : epoch(aloneFrom)));
    }

    private static RulesRequest epochs(@Nullable String from, @Nullable String aloneFrom) {
        return new RulesRequest(null, from, aloneFrom, false, ProfileParts.NONE);
    }

    private static RulesRequest rules2(@Nullable String from, @Nullable String aloneFrom) {
        return new RulesRequest(2, from, aloneFrom, false, ProfileParts.NONE);
    }

    private static RulesRequest parts(ProfileParts parts) {
        return new RulesRequest(null, null, null, false, parts);
    }

    private static ProfileParts ipPrefixes(String... bits) {
        return new ProfileParts(List.of(bits), null, null, null, null, null);
    }

    private static final RulesRequest WITHDRAW = new RulesRequest(null, null, null, true, ProfileParts.NONE);

    private RulesPlan plan(Instant now, RulesRequest wanted) throws Exception {
        return LaterRules.of(keys, now).plan(wanted);
    }

    private NextProfile planned(Instant now, RulesRequest wanted) throws Exception {
        return plan(now, wanted).profiles().next().orElseThrow();
    }

    private String refusal(Instant now, RulesRequest wanted) {
        IllegalStateException refused = catchThrowableOfType(IllegalStateException.class, () -> plan(now, wanted));
        assertThat(refused).as("%s", wanted).isNotNull();
        return String.valueOf(refused.getMessage());
    }

    @Test
    void areThePresentProfileByTheNewRulesFromTheNextEpochOn() throws Exception {
        RulesPlan plan = plan(NOVEMBER, rules2(null, null));
        byte[] upgraded = RULES_2.upgraded().encode(); // with networks of IPv6, of which rules 1 have none
        assertThat(plan.profiles().next()).contains(new NextProfile(upgraded, epoch("2026-12"), null));
        assertThat(plan.profiles().first()).isEqualTo(keys.profiles().first());
        assertThat(plan.isChange()).isTrue();
        assertThat(plan.done()).startsWith("keywords by rules 2 of profile ").endsWith(" from epoch 2026-12");
        assertThat(keys.profiles().next()).as("nothing is set yet").isEmpty();
    }

    @Test
    void haveAProfileOfTheirOwn() throws Exception {
        RulesPlan plan = plan(
                NOVEMBER,
                new RulesRequest(
                        2,
                        "2027-02",
                        "2027-04",
                        false,
                        new ProfileParts(null, List.of("unit"), null, "3..8", null, null)));
        NextProfile next = plan.profiles().next().orElseThrow();
        ExtractorProfile profile = ExtractorProfile.decode(next.encoded());
        assertThat(profile.fields()).containsExactly("unit");
        assertThat(profile.ipPrefixes())
                .as("as the profile of rules 1 has them")
                .containsExactly(16);
        assertThat(next.from()).isEqualTo(epoch("2027-02"));
        assertThat(next.onlyFrom()).isEqualTo(epoch("2027-04"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-10", "2026-11"})
    void doNotBeginInAnEpochThatHasBegun(String from) throws Exception {
        assertThat(refusal(NOVEMBER, rules2(from, null))).contains(from, "has begun", "2026-12");
        keys = fresh;
        set(null);
        assertThat(planned(NOVEMBER, rules2(from, from)).onlyFrom())
                .as("nobody has a bundle yet")
                .isEqualTo(epoch(from));
    }

    @Test
    void canBeMovedAndWithdrawnBeforeTheirFirstEpochBegins() throws Exception {
        use("2027-01", null);
        assertThat(planned(NOVEMBER, epochs("2027-03", null)).from()).isEqualTo(epoch("2027-03"));
        assertThat(plan(NOVEMBER, epochs("2027-03", null)).notes())
                .anyMatch(note -> note.contains("bundle of before") && note.contains("2027-01"));
        assertThat(planned(NOVEMBER, epochs("2026-12", null)).from()).isEqualTo(epoch("2026-12"));
        assertThat(plan(NOVEMBER, epochs("2026-12", null)).notes()).isEmpty();
        RulesPlan none = plan(NOVEMBER, WITHDRAW);
        assertThat(none.profiles().next()).isEmpty();
        assertThat(none.profiles().former()).as("envelopes may name it").contains(RULES_2.encode());
        assertThat(none.done()).isEqualTo("no later rules of keywords");
        assertThat(none.notes()).anyMatch(note -> note.contains("bundle of before"));
    }

    @Test
    void areNeitherMovedNorWithdrawnOnceTheyWereUsed() {
        use("2027-01", null);
        for (String from : List.of("2026-12", "2027-02")) {
            assertThat(refusal(JANUARY, epochs(from, null)))
                    .contains("rules 2 are used since epoch 2027-01", "cannot be moved");
        }
        assertThat(refusal(JANUARY, WITHDRAW)).contains("rules 2 are used since epoch 2027-01", "stay");
    }

    /** Nobody has sealed by them, whatever the time is. */
    @Test
    void canBeChangedAtWillBeforeTheFirstBundle() throws Exception {
        keys = fresh;
        use("2026-11", "2026-12");
        assertThat(LaterRules.of(keys, JANUARY).isUsed()).isFalse();
        assertThat(planned(JANUARY, epochs("2026-12", null)).from()).isEqualTo(epoch("2026-12"));
        assertThat(planned(JANUARY, epochs(null, "2026-11")).onlyFrom()).isEqualTo(epoch("2026-11"));
        RulesPlan narrowed = plan(JANUARY, parts(ipPrefixes("8")));
        assertThat(narrowed.isChange()).isTrue();
        assertThat(narrowed.notes()).noneMatch(note -> note.contains("What was sealed before"));
        assertThat(plan(JANUARY, WITHDRAW).notes()).isEmpty();
        assertThat(narrowed.notes())
                .as("an epoch that has begun is no time to come")
                .anyMatch(note -> note.contains("before senders have the bundle"))
                .noneMatch(note -> note.contains("epoch 2026-11 begins"));
    }

    @Test
    void mayNameTheirFirstEpochAgain() throws Exception {
        use("2027-01", null);
        assertThat(plan(JANUARY, rules2("2027-01", null)).isChange()).isFalse();
        assertThat(plan(JANUARY, rules2(null, null)).isChange()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"2026-11", "2027-01"})
    void areNotAloneInAnEpochThatHasBegun(String alone) {
        use("2026-11", null);
        assertThat(refusal(JANUARY, epochs(null, alone))).contains(alone, "has begun", "rules 1", "2027-02");
        use("2026-11", "2027-06");
        assertThat(refusal(JANUARY, epochs(null, alone))).contains(alone, "has begun");
        use("2026-11", "2027-01");
        assertThat(refusal(Instant.parse("2027-02-01T00:00:00Z"), epochs(null, "2026-12")))
                .contains("2026-12", "has begun");
    }

    @Test
    void areAloneFromAnEpochToComeOn() throws Exception {
        use("2026-11", null);
        RulesPlan plan = plan(JANUARY, epochs(null, "2027-02"));
        assertThat(plan.profiles().next().orElseThrow().onlyFrom()).isEqualTo(epoch("2027-02"));
        assertThat(plan.done()).endsWith("alone from epoch 2027-02");
        assertThat(plan.notes()).anyMatch(note -> note.contains("veilgate senders") && note.contains("page Senders"));
        use("2026-11", "2027-06");
        assertThat(planned(JANUARY, epochs(null, "2027-02")).onlyFrom()).isEqualTo(epoch("2027-02"));
    }

    /** For a sender that was forgotten: what the gateway refused is taken, and asked for again. */
    @Test
    void canTakeRules1BesideThemAgain() throws Exception {
        use("2026-11", "2026-12");
        assertThat(planned(JANUARY, epochs(null, "2027-01")).onlyFrom()).isEqualTo(epoch("2027-01"));
        RulesPlan none = plan(JANUARY, epochs(null, ""));
        assertThat(none.profiles().next().orElseThrow().onlyFrom()).isNull();
        assertThat(none.notes()).anyMatch(note -> note.contains("taken again in epochs from 2026-12 on"));
    }

    @Test
    void areNotAloneBeforeTheyAreUsed() {
        assertThatThrownBy(() -> plan(NOVEMBER, rules2("2027-02", "2027-01")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2027-01")
                .hasMessageContaining("2027-02");
        use("2027-01", "2027-02");
        assertThatThrownBy(() -> plan(NOVEMBER, epochs("2027-03", null))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void sayThatNoEpochTakesBoth() throws Exception {
        assertThat(plan(NOVEMBER, rules2("2026-12", "2026-12")).notes())
                .anyMatch(note -> note.contains("No epoch takes both"));
        assertThat(plan(NOVEMBER, rules2("2026-12", "2027-01")).notes())
                .noneMatch(note -> note.contains("No epoch takes both"));
    }

    @Test
    void canOnlyBeAddedToOnceTheyWereUsed() throws Exception {
        use("2027-01", null);
        assertThat(ExtractorProfile.decode(
                                planned(NOVEMBER, parts(ipPrefixes("8"))).encoded())
                        .ipPrefixes())
                .as("not used yet")
                .containsExactly(8);
        assertThat(refusal(JANUARY, parts(ipPrefixes("8")))).contains("networks of 16 bits", "only be added to");
        RulesPlan more = plan(JANUARY, parts(ipPrefixes("8", "16")));
        assertThat(ExtractorProfile.decode(more.profiles().next().orElseThrow().encoded())
                        .ipPrefixes())
                .containsExactly(8, 16);
        assertThat(more.profiles().former()).as("envelopes name it").contains(RULES_2.encode());
        assertThat(more.notes())
                .anyMatch(note -> note.contains("What was sealed before"))
                .anyMatch(note -> note.contains("do not ask for what is added"))
                .as("that epoch has begun, and the rules are known")
                .noneMatch(note -> note.contains("Update gateways"));
    }

    @Test
    void areRefusedIfNoMoreFormerProfilesAreKept() throws Exception {
        keys = generate();
        try {
            for (int i = 0; i <= 1024; i++) {
                byte[] profile = ExtractorProfile.defaults()
                        .withFields("f" + i)
                        .withRules(2)
                        .encode();
                if (keys.profiles().former().size() == 1024) {
                    break;
                }
                set(new NextProfile(profile, epoch("2027-01"), null));
            }
            assertThat(keys.profiles().former()).hasSize(1024);
            assertThat(refusal(NOVEMBER, parts(ipPrefixes("8")))).contains("1024 times");
            assertThat(LaterRules.of(keys, NOVEMBER).situation().getLast())
                    .startsWith("1024 former profiles are kept, of 1,024 at most; all profiles take ");
        } finally {
            keys.close();
        }
    }

    @Test
    void ofOtherSoftwareKeepTheirProfile() throws Exception {
        set(new NextProfile(new byte[] {9}, epoch("2027-01"), null));
        assertThat(refusal(NOVEMBER, parts(ipPrefixes("8")))).contains("does not know");
        RulesPlan alone = plan(NOVEMBER, epochs(null, "2027-03"));
        assertThat(alone.profiles().next().orElseThrow().encoded()).isEqualTo(new byte[] {9});
        assertThat(alone.done()).isEqualTo("keywords by later rules from epoch 2027-01, alone from epoch 2027-03");
        assertThat(refusal(JANUARY, WITHDRAW)).contains("later rules, which this software does not know");
    }

    @Test
    void areNamedAsTheyMustBe() {
        for (RulesRequest wrong : List.of(
                epochs("2027-01", null),
                new RulesRequest(1, null, null, false, ProfileParts.NONE),
                new RulesRequest(3, null, null, false, ProfileParts.NONE),
                rules2("January", null),
                rules2(null, "2027"),
                new RulesRequest(2, null, null, true, ProfileParts.NONE))) {
            assertThatThrownBy(() -> plan(NOVEMBER, wrong))
                    .as("%s", wrong)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(refusal(NOVEMBER, WITHDRAW)).contains("no later rules");
    }

    @Test
    void areSaidEpochByEpoch() throws Exception {
        assertThat(LaterRules.of(keys, NOVEMBER).situation().getFirst())
                .isEqualTo("Senders make keywords by rules 1, and searches ask rules 1.");
        assertThat(plan(NOVEMBER, rules2(null, "2027-02")).situation().subList(0, 3))
                .containsExactly(
                        "Before epoch 2026-12 senders make keywords by rules 1, and searches ask rules 1.",
                        "From epoch 2026-12 to 2027-01 senders that know rules 2 and have the bundle make keywords by"
                                + " them, all others by rules 1; gateways take both, and searches ask both.",
                        "From epoch 2027-02 on gateways refuse what has keywords of rules 1, and searches ask rules 2"
                                + " alone.");
        use("2026-11", null);
        assertThat(LaterRules.of(keys, NOVEMBER).situation())
                .contains("No epoch is named from which on they are taken alone.")
                .first()
                .asString()
                .contains("made keywords");
    }
}
