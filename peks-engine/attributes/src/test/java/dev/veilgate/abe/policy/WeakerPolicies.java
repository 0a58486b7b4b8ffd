package dev.veilgate.abe.policy;

import java.util.ArrayList;
import java.util.List;

/** What an attacker takes a policy for who has too little for it. */
public final class WeakerPolicies {
    private WeakerPolicies() {}

    /** The same shape, one gate's threshold lower. */
    public static List<Policy> of(Policy policy) {
        List<Policy> weaker = new ArrayList<>();
        if (policy instanceof Policy.Gate gate) {
            for (int k = 1; k < gate.threshold(); k++) {
                weaker.add(new Policy.Gate(k, gate.children()));
            }
            for (int i = 0; i < gate.children().size(); i++) {
                for (Policy child : of(gate.children().get(i))) {
                    List<Policy> children = new ArrayList<>(gate.children());
                    children.set(i, child);
                    weaker.add(new Policy.Gate(gate.threshold(), children));
                }
            }
        }
        return weaker;
    }
}
