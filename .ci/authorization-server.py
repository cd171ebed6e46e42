"""An OAuth 2.0 server for tests, with Authlib and Flask. Usage: authorization-server.py PORT

Access tokens expire after two seconds. A refresh token can be used once. Clients: `app` (public, needs PKCE), `machine` and `posting`
(with the secret `s€cret: +&%`, in the field Authorization or in the body), `television` (public, with the codes of a device, which asks
once a second) and `legacy` (public, with the password of the user).
"""

import os
import sys
import time

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # this machine only

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector
from authlib.oauth2.rfc6749 import AuthorizationCodeMixin, ClientMixin, TokenMixin, grants
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import DEVICE_CODE_GRANT_TYPE, DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialDict
from flask import Flask, jsonify, request, session

LIFETIME = 2
SECRET = "s€cret: +&%"


class User:
    def get_user_id(self):
        return "ada"


class Client(ClientMixin):
    def __init__(self, client_id, method, grant_types):
        self.client_id, self.method, self.grant_types = client_id, method, grant_types

    def get_client_id(self):
        return self.client_id

    def get_default_redirect_uri(self):
        return None

    def get_allowed_scope(self, scope):
        return " ".join(s for s in scope.split() if s in ("profile", "mail")) if scope else ""

    def check_redirect_uri(self, redirect_uri):
        return redirect_uri.endswith("/callback")

    def check_client_secret(self, client_secret):
        return client_secret == SECRET

    def check_endpoint_auth_method(self, method, endpoint):
        return method == self.method

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return grant_type in self.grant_types


class Token(TokenMixin):
    def __init__(self, client, user, fields):
        self.client, self.user, self.fields, self.issued = client, user, fields, time.time()
        self.access_revoked = self.refresh_revoked = False

    def check_client(self, client):
        return self.client is client

    def get_scope(self):
        return self.fields.get("scope", "")

    def get_expires_in(self):
        return self.fields["expires_in"]

    def is_expired(self):
        return self.issued + self.get_expires_in() <= time.time()

    def is_revoked(self):
        return self.access_revoked

    def get_user(self):
        return self.user

    def get_client(self):
        return self.client


class Code(AuthorizationCodeMixin):
    def __init__(self, code, client, user, payload):
        self.code, self.client, self.user = code, client, user
        self.redirect_uri, self.scope = payload.redirect_uri, payload.scope
        self.code_challenge = payload.data.get("code_challenge")
        self.code_challenge_method = payload.data.get("code_challenge_method")

    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope


CLIENTS = {
    "app": Client("app", "none", ["authorization_code", "refresh_token"]),
    "machine": Client("machine", "client_secret_basic", ["client_credentials"]),
    "posting": Client("posting", "client_secret_post", ["client_credentials"]),
    "television": Client("television", "none", [DEVICE_CODE_GRANT_TYPE, "refresh_token"]),
    "legacy": Client("legacy", "none", ["password", "refresh_token"]),
}
CODES, TOKENS, DEVICES = {}, [], []


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]

    def save_authorization_code(self, code, request):
        CODES[code] = Code(code, request.client, request.user, request.payload)

    def query_authorization_code(self, code, client):
        found = CODES.get(code)
        return found if found and found.client is client else None

    def delete_authorization_code(self, authorization_code):
        del CODES[authorization_code.code]

    def authenticate_user(self, authorization_code):
        return authorization_code.user


class RefreshGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token):
        return next((t for t in TOKENS if t.fields.get("refresh_token") == refresh_token and not t.refresh_revoked), None)

    def authenticate_user(self, refresh_token):
        return refresh_token.user

    def revoke_old_credential(self, refresh_token):
        refresh_token.access_revoked = refresh_token.refresh_revoked = True


class MachineGrant(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]


class PasswordGrant(grants.ResourceOwnerPasswordCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]

    def authenticate_user(self, username, password):
        return User() if (username, password) == ("ada", SECRET) else None


class DeviceEndpoint(DeviceAuthorizationEndpoint):
    CLIENT_AUTH_METHODS = ["none"]
    INTERVAL = 1

    def get_verification_uri(self):
        return request.host_url + "device"

    def save_device_credential(self, client_id, scope, data):
        DEVICES.append(DeviceCredentialDict(client_id=client_id, scope=scope, consent=None, asked=0, **data))


class DeviceGrant(DeviceCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]

    def query_device_credential(self, device_code):
        return next((d for d in DEVICES if d["device_code"] == device_code), None)

    def query_user_grant(self, user_code):
        consent = next(d["consent"] for d in DEVICES if d["user_code"] == user_code)
        return None if consent is None else (User(), consent)

    def should_slow_down(self, credential):
        last, credential["asked"] = credential["asked"], time.time()
        return credential["asked"] < last + credential["interval"]


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"]

    def query_token(self, token_string, token_type_hint):
        return next((t for t in TOKENS if token_string in (t.fields["access_token"], t.fields.get("refresh_token"))), None)

    def revoke_token(self, token, request):
        token.access_revoked = token.refresh_revoked = True


class Validator(BearerTokenValidator):
    def authenticate_token(self, token_string):
        return next((t for t in TOKENS if t.fields["access_token"] == token_string), None)


def save_token(fields, request):
    TOKENS.append(Token(request.client, request.user, fields))


app = Flask(__name__)
app.secret_key = "of a test"
kinds = ["authorization_code", "refresh_token", "client_credentials", "password", DEVICE_CODE_GRANT_TYPE]
app.config.update(OAUTH2_REFRESH_TOKEN_GENERATOR=True, OAUTH2_TOKEN_EXPIRES_IN={kind: LIFETIME for kind in kinds})
server = AuthorizationServer(app, query_client=CLIENTS.get, save_token=save_token)
server.register_grant(CodeGrant, [CodeChallenge(required=True)])
server.register_grant(RefreshGrant)
server.register_grant(MachineGrant)
server.register_grant(PasswordGrant)
server.register_grant(DeviceGrant)
server.register_endpoint(DeviceEndpoint)
server.register_endpoint(Revocation)
protected = ResourceProtector()
protected.register_token_validator(Validator())


@app.get("/authorize")
def authorize():
    # Everybody is Ada, and consents unless the URL says something else.
    user = None if "deny" in request.args else User()
    return server.create_authorization_response(grant_user=user, grant=server.get_consent_grant(end_user=user))


@app.get("/callback")
def callback():
    return jsonify(url=request.url)


@app.post("/token")
def token():
    return server.create_token_response()


@app.post("/codes")
def codes():
    return server.create_endpoint_response(DeviceEndpoint.ENDPOINT_NAME)


@app.get("/device")
def device():
    # The user has entered the code, and consents unless the URL says something else.
    device = next(d for d in DEVICES if d["user_code"] == request.args["user_code"])
    device["consent"] = "deny" not in request.args
    return jsonify(consent=device["consent"])


@app.post("/revoke")
def revoke():
    return server.create_endpoint_response(Revocation.ENDPOINT_NAME)


@app.get("/me")
@protected()
def me():
    return jsonify(user="ada")


@app.post("/log-in")
def log_in():
    session["user"] = request.form["user"]
    return jsonify(user=session["user"])


@app.get("/profile")
def profile():
    # Flask keeps the user in a signed cookie.
    return jsonify(user=session["user"]) if "user" in session else ("no session", 401)


app.run(port=int(sys.argv[1]), threaded=True)
