"""The configuration of Dovecot and Postfix for tests: root, no systemd, no syslog, loopback alone."""

from __future__ import annotations

from string import Template
from typing import TypedDict


class Values(TypedDict):
    """What differs from one pair of servers to the next."""

    folder: str
    domains: str  # with commas between them
    certificate: str
    imap: int
    imaps: int
    smtp: int
    smtps: int
    plain_host: str
    password: str


# What a test wrote need not survive a power cut (mail_fsync), and a wrong password costs no
# waiting (anvil-auth-penalty).  The locks of sdbox are the kernel's and end with their holder;
# of a maildir one may stay for two minutes when its holder is killed.  A "local" block is for those
# who come by another address: the same server as one of the many that lack IDLE and MOVE.
DOVECOT = Template("""\
base_dir = $folder/run
state_dir = $folder/run
log_path = $folder/dovecot.log
protocols = imap lmtp
listen = 127.0.0.1, $plain_host
ssl = yes
ssl_cert = <$certificate
ssl_key = <$certificate
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_failure_delay = 0 secs
first_valid_uid = 1
mail_location = sdbox:$folder/mail/%d/%n
mail_fsync = never
recipient_delimiter = +
passdb {
  driver = static
  args = password=$password
}
userdb {
  driver = static
  args = uid=mail gid=mail home=$folder/mail/%d/%n allow_all_users=yes
}
namespace inbox {
  inbox = yes
  prefix = INBOX.
  separator = .
}
service imap-login {
  inet_listener imap {
    port = $imap
  }
  inet_listener imaps {
    port = $imaps
  }
}
service lmtp {
  unix_listener $folder/queue/lmtp {
    mode = 0666
  }
}
service auth {
  unix_listener $folder/queue/auth {
    mode = 0666
  }
}
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
protocol imap {
  mail_max_userip_connections = 10
}
local $plain_host {
  protocol imap {
    imap_capability = IMAP4rev1 NAMESPACE UIDPLUS
  }
}
""")

# Names are looked up nowhere, and what is not for our domains is refused: nothing leaves the machine.
MAIN = Template("""\
compatibility_level = 3.6
queue_directory = $folder/queue
data_directory = $folder/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = $folder/postfix.log
maillog_file_prefixes = /var, /dev/stdout, $folder
myhostname = mx.corr.test
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
alias_maps =
alias_database =
local_transport = error:5.1.1 nobody lives here
default_transport = error:5.1.2 nothing leaves this machine
disable_dns_lookups = yes
smtp_host_lookup = native
virtual_mailbox_domains = $domains
virtual_transport = lmtp:unix:$folder/queue/lmtp
recipient_delimiter = +
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_client_connection_count_limit = 0
smtpd_tls_security_level = may
smtpd_tls_chain_files = $certificate
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = auth
message_size_limit = 20971520
""")

# Debian's own runs most of these in a chroot (the fifth column), where our queue has no libraries.
MASTER = Template("""\
127.0.0.1:$smtp inet n - n - - smtpd
127.0.0.1:$smtps inet n - n - - smtpd
  -o smtpd_tls_wrappermode=yes
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
""")
