/**
 * The authority's side: a tenant's secret keys, the folder that keeps them, and the public bundles made from them. Runs on the customer's premises
 * only; agent, proxy and gateway never depend on it.
 *
 * <p>{@link dev.veilgate.authority.TenantKeys} holds the keys and what belongs to them; {@link dev.veilgate.authority.KeyFolder} keeps them in one file
 * sealed by a passphrase, beside the trapdoors that were issued.
 */
@NullMarked
package dev.veilgate.authority;

import org.jspecify.annotations.NullMarked;
