/**
 * Where records come from: files that are followed through rotation, directories, standard input, the journal. Every record says where its
 * source stands after it, so that what was sealed and what was read are committed together. Depends on nothing of the agent.
 */
@NullMarked
package dev.veilgate.agent.follow;

import org.jspecify.annotations.NullMarked;
