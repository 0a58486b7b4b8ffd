/**
 * Efficiently searchable encryption: deterministic public-key encryption by encrypt-with-hash (Bellare, Boldyreva, O'Neill, CRYPTO 2007), with which a server
 * searches an ordinary index, and <b>sees</b> which ciphertexts are equal. Specification: {@code docs/spec/ese.md}.
 *
 * <p>For comparison with public-key encryption with keyword search. The gateway does not use it, and nobody should for keywords: what everybody sees is written at
 * {@link dev.veilgate.ese.EncryptWithHash}, where to start. Instances are in {@code ese.elgamal} and {@code ese.ntru}.
 *
 * {@snippet lang=java :
 * var ese = ElGamalEse.withDefaults();
 * var keys = ese.keyGen();
 * Ciphertext stored = ese.encrypt(keys.publicKey(), domain, message);  // the server indexes stored.tag()
 * Tag wanted = ese.tag(keys.publicKey(), domain, message);             // equal, so found
 * byte[] opened = ese.decrypt(keys.secretKey(), domain, stored);
 * }
 *
 * <p>Depends on {@code peks} for the domain of a keyword and the id of a key, on {@code random} and {@code encoding}; on no scheme, and not on its instances.
 */
@NullMarked
package dev.veilgate.ese;

import org.jspecify.annotations.NullMarked;
