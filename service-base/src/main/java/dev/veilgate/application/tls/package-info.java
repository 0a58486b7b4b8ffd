/** TLS of the services' HTTP servers: the contexts of dev.veilgate.transport inside Tomcat. */
@NullMarked
package dev.veilgate.application.tls;

import org.jspecify.annotations.NullMarked;
