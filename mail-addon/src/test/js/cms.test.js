// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { isEnveloped, isSignedData, MalformedStructureError, signedContent } from "../../main/addon/cms.js";

const folder = mkdtempSync(join(tmpdir(), "veilgate-cms-"));
after(() => rmSync(folder, { recursive: true }));
const CONTENT = 'From: ada\r\nContent-Type: text/plain; hp="cipher"\r\n\r\nthe owls\r\n';
writeFileSync(join(folder, "content"), CONTENT);

function openssl(...args) {
  execFileSync("openssl", args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
}

function key(name, ...algorithm) {
  const files = ["-keyout", `${name}.key`, "-out", `${name}.crt`];
  openssl("req", "-x509", "-newkey", ...algorithm, "-nodes", "-subj", "/CN=ada", ...files);
}

function signed(name, ...more) {
  const files = ["-signer", `${name}.crt`, "-inkey", `${name}.key`, "-in", "content", "-out", "signed"];
  openssl("cms", "-sign", "-binary", "-nodetach", "-outform", "DER", ...files, ...more);
  return readFileSync(join(folder, "signed"), "latin1");
}

key("rsa", "rsa:2048");
for (const curve of ["P-256", "P-384", "P-521"]) {
  key(curve, "ec", "-pkeyopt", `ec_paramgen_curve:${curve}`);
}

describe("signed structures", () => {
  test("gives out what is signed, by keys of each kind", async () => {
    for (const name of ["rsa", "P-256", "P-384", "P-521"]) {
      for (const hash of ["sha256", "sha384", "sha512"]) {
        for (const more of [[], ["-stream"], ["-noattr"]]) {
          const bytes = signed(name, "-md", hash, ...more);
          assert.ok(isSignedData(bytes));
          assert.equal(await signedContent(bytes), CONTENT, `${name} ${hash} ${more}`);
        }
      }
    }
  });

  test("gives out nothing that is signed in another way, by a key that is not there, or not at all", async () => {
    assert.equal(await signedContent(signed("rsa", "-md", "sha1")), null);
    assert.equal(await signedContent(signed("rsa", "-keyopt", "rsa_padding_mode:pss")), null);
    assert.equal(await signedContent(signed("rsa", "-nocerts")), null);
    assert.equal(await signedContent(signed("rsa", "-nocerts", "-certfile", "P-256.crt")), null);
    const none = signed("P-256", "-noattr", "-nocerts");
    assert.equal(await signedContent(none.slice(0, none.lastIndexOf("\x31"))).catch(() => null), null);
  });

  test("takes nothing from a structure with one byte altered but the content that is signed", async () => {
    const bytes = signed("P-256", "-noattr");
    const attributed = signed("P-256");
    for (const whole of [bytes, attributed]) {
      for (let i = 0; i < whole.length; i++) {
        for (const bit of [1, 0x80]) {
          const altered = whole.slice(0, i) + String.fromCharCode(whole.charCodeAt(i) ^ bit) + whole.slice(i + 1);
          try {
            const content = await signedContent(altered);
            assert.ok(content === null || content === CONTENT, `byte ${i}`);
          } catch (e) {
            assert.ok(e instanceof MalformedStructureError, `byte ${i}: ${e.stack}`);
          }
        }
      }
    }
  });

  test("refuses structures that do not end, nest without end, or have lengths beyond theirs", async () => {
    const whole = signed("P-256");
    for (let end = 0; end < whole.length; end++) {
      await assert.rejects(signedContent(whole.slice(0, end)), MalformedStructureError);
    }
    const start = performance.now();
    const hostile = [
      "\x30\x80".repeat(4_000_000),
      "\x30\x80" + "\x30\x00".repeat(4_000_000),
      "\x30\x84\xff\xff\xff\xff",
      "\x30\x85\x00\x00\x00\x00\x01",
      "\x04\x80\x00\x00",
      "\x1f\x81\x01\x00",
    ];
    for (const bytes of hostile) {
      await assert.rejects(signedContent(bytes), MalformedStructureError);
    }
    assert.ok(performance.now() - start < 5000);
  });

  test("knows encrypted structures by their first bytes", () => {
    openssl("cms", "-encrypt", "-aes256", "-outform", "DER", "-in", "content", "-out", "enveloped", "rsa.crt");
    const bytes = readFileSync(join(folder, "enveloped"), "latin1");
    assert.ok(isEnveloped(bytes.slice(0, 40)));
    assert.ok(!isSignedData(bytes));
    assert.ok(!isEnveloped(signed("rsa")));
    const files = ["-in", "content", "-out", "enveloped", "rsa.crt"];
    openssl("cms", "-encrypt", "-aes-256-gcm", "-stream", "-outform", "DER", ...files);
    assert.ok(isEnveloped(readFileSync(join(folder, "enveloped"), "latin1")));
  });
});
