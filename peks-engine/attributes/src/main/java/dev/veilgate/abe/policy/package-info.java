/**
 * Who may read, as attribute-based schemes understand it: attributes, monotone policies over them, and the parser of what people write. Depends on
 * {@code encoding}; knows no scheme.
 *
 * {@snippet lang=java :
 * Policy policy = Policy.parse("(role:auditor AND site:plant-7) OR role:dpo");
 * AttributeSet auditor = AttributeSet.parse("role:auditor, site:plant-7, clearance = 5");
 * policy.isSatisfiedBy(auditor); // true
 * }
 */
@NullMarked
package dev.veilgate.abe.policy;

import org.jspecify.annotations.NullMarked;
