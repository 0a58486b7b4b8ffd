/**
 * Attribute-based encryption as the product uses it: secrets for whoever satisfies a policy, secure against chosen ciphertexts. Bytes and policies only; the mathematics stays
 * behind this door. Specification: {@code docs/spec/abe-kem.md}.
 *
 * {@snippet lang=java :
 * AttributeKem kem = AttributeKems.byDefault(); // cp-fabeo22: policies in ciphertexts
 * AttributeKeys authority = kem.setup(random);
 * AttributeSecretKey auditor =
 *         kem.keyGen(authority.masterKey(), authority.publicKey(), Label.attributes("role:auditor, site:plant-7"), random);
 *
 * Label policy = Label.policy("(role:auditor AND site:plant-7) OR role:dpo");
 * Encapsulation sent = kem.encapsulate(authority.publicKey(), policy, random);
 * byte[] secret = kem.decapsulate(authority.publicKey(), auditor, sent.ciphertext()); // sent.secret()
 * }
 *
 * <p>Depends on the schemes below it, on {@code abe.policy}, {@code abe.kem}, {@code random} and {@code encoding}, {@code secret}, and on {@code peks} for the id of a key.
 */
@NullMarked
package dev.veilgate.abe;

import org.jspecify.annotations.NullMarked;
