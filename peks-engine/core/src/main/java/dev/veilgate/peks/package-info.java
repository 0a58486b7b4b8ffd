/**
 * Searchable encryption: what every scheme has in common. No scheme is named here; see {@link
 * dev.veilgate.peks.IndexScheme}, the contract, and {@code docs/spec} for each scheme. Depends on {@code encoding}
 * only.
 *
 * <p>Sealing keywords, issuing a trapdoor and testing it, in full (the build runs this example):
 *
 * {@snippet lang=java :
 * // The authority makes the keys.
 * NtruPeks peks = NtruPeks.withDefaults();
 * KeyPair keys = peks.keyGen();
 *
 * // A device seals the keywords of a message with three records.
 * var domain = new KeywordDomain("acme", "plant-7", "2026-11");
 * byte[] digest = MessageDigest.getInstance("SHA-256").digest(encrypted);
 * var message = new MessageContext("press-4", UUID.randomUUID(), digest);
 * var sealer = new NtruIndexSealer(keys.publicKey(), new SecureRandom());
 * Posting error = Posting.of(Keyword.text("level", "error"), 0, 2);
 * Posting sshd = Posting.of(Keyword.text("unit", "sshd"), 1);
 * List<IndexBlock> index = sealer.seal(domain, message, 3, List.of(error, sshd));
 *
 * // The authority issues a trapdoor for "level:error".
 * ScopedTrapdoor trapdoor;
 * try (var store = FileTrapdoorStore.open(folder)) {
 *     trapdoor = peks.trapdoor(keys.secretKey(), domain, Keyword.text("level", "error"), store);
 * }
 *
 * // The gateway verifies the blocks, tests it against them, and learns which records match, not what they hold.
 * IndexScheme scheme = IndexSchemes.load().byId(trapdoor.scheme());
 * IndexVerifier verifier = scheme.verifier(keys.publicKey().encode());
 * PreparedTrapdoor prepared = scheme.prepare(trapdoor);
 * for (StoredBlock stored : verifier.verify(index, message)) {
 *     hits.addAll(scheme.match(prepared, stored)); // one hit, records {0, 2}
 * }
 * }
 */
@NullMarked
package dev.veilgate.peks;

import org.jspecify.annotations.NullMarked;
