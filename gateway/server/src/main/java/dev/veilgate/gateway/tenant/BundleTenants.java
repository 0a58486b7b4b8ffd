package dev.veilgate.gateway.tenant;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.RefusedBundleException;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.gateway.settings.GatewaySettings.TenantSettings;
import dev.veilgate.peks.IndexSchemes;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tenants from bundle files and sender registries. A file that changes is read again; if it is refused, the last good
 * one stays in use. The serials of the last ones are kept, so that an older one is refused after a restart too.
 */
final class BundleTenants implements Tenants {
    private static final Logger LOG = LoggerFactory.getLogger(BundleTenants.class);

    /** With what was said of it last. */
    private final Map<TenantSource, String> sources = new LinkedHashMap<>();

    private volatile Map<String, Tenant> byName = Map.of();

    /**
     * Reads all bundles and registries.
     *
     * @param folder for the serials that were seen, and for copies of the registries
     * @throws IOException              if one cannot be read: a gateway does not start half
     * @throws IllegalArgumentException if there is none where the settings say, or one that is refused
     */
    BundleTenants(List<TenantSettings> settings, Path folder, IndexSchemes schemes, Clock clock) throws IOException {
        DurableFiles.createFolder(folder);
        for (TenantSettings tenant : settings) {
            TenantSource source = new TenantSource(tenant, folder, schemes, clock);
            LOG.info("read {}", first(source, tenant));
            sources.put(source, "");
        }
        publish();
    }

    /** Reads for the first time; what has to be changed by somebody is an error of the settings. */
    private static String first(TenantSource source, TenantSettings tenant) throws IOException {
        try {
            return source.refresh();
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException(
                    "there is no file " + e.getFile() + ", which veilgate.tenants names: veilgate keys bundle -o "
                            + tenant.bundle().getFileName() + " writes the tenant's public bundle; put it there, and"
                            + " the fingerprint that veilgate keys show prints into veilgate.tenants[].authority",
                    e);
        } catch (IOException e) {
            if (e.getCause() instanceof MalformedEncodingException || e.getCause() instanceof RefusedBundleException) {
                throw new IllegalArgumentException("veilgate.tenants: " + e.getMessage(), e);
            }
            throw e;
        }
    }

    @Override
    public Optional<Tenant> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    @Override
    public List<Tenant> all() {
        return List.copyOf(byName.values());
    }

    /** Reads again what has changed. */
    synchronized void refresh() {
        sources.replaceAll(this::refresh);
    }

    private String refresh(TenantSource source, String said) {
        Optional<Tenant> before = source.tenant();
        String wrong = "";
        try {
            String read = source.refresh();
            if (!read.isEmpty()) {
                LOG.info("read again: {}", read);
            }
        } catch (IOException e) {
            wrong = String.valueOf(e.getMessage());
        }
        try {
            if (!before.equals(source.tenant())) {
                publish();
            }
        } catch (IOException e) {
            wrong = String.valueOf(e.getMessage());
        }
        if (!wrong.isEmpty()
                && !wrong.equals(said)) { // once for each thing that is wrong, however often it is tried again
            LOG.warn("the last good one stays in use: {}", wrong);
        }
        return wrong;
    }

    private void publish() throws IOException {
        Map<String, Tenant> tenants = new HashMap<>();
        for (TenantSource source : sources.keySet()) {
            Optional<Tenant> tenant = source.tenant();
            if (tenant.isPresent() && tenants.put(tenant.get().name(), tenant.get()) != null) {
                throw new IOException("two bundles in veilgate.tenants are of one tenant");
            }
        }
        byName = Map.copyOf(tenants);
    }
}
