// Files
// Describes, for rules, the options of programs that find, read, sort, pack, copy and send files.
//
//   Owns:          the options of programs that handle files.
//   Does not own:  how rules use the descriptions of programs (reach, sight).

import type { ProgramRow } from "./program-row.ts";

const FINDING: readonly ProgramRow[] = [
  {
    names: "find",
    starts: "-exec -execdir -ok -okdir",
    reaches: "-delete -fprint -fprint0 -fprintf -fls -files0-from",
  },
  { names: "fd fdfind", starts: "-x -X --exec --exec-batch", reaches: "-C --base-directory --ignore-file" },
  {
    names: "rg ripgrep",
    reaches: "--pre --pre-glob --hostname-bin --hyperlink-format -z --search-zip --ignore-file",
  },
  {
    names: "ag ack ugrep ug pt",
    reaches: "--pager --output --ackrc --filter -o --view --config --save-config",
  },
  { names: "fzf sk", runs: "anything" },
  { names: "tree", reaches: "-o -R --fromfile --info --infofile" },
  { names: "locate plocate", reaches: "-d --database" },
];

const PRINTING: readonly ProgramRow[] = [
  {
    hasAtNames: true,
    names: `ls cat head tail grep egrep fgrep zgrep zcat cut tr comm join paste nl tac rev fold od hexdump strings cmp stat readlink
      realpath basename dirname pwd whoami id groups uname uptime which whereis type echo true false seq sleep expr factor cal ps
      pgrep free df lsof sha1sum sha256sum sha512sum md5sum cksum sum b2sum printenv tty nproc arch getconf getent locale
      cd pushd popd dirs umask ulimit jq kill rmdir w who last lsblk netstat dig nslookup host ping traceroute yes`,
  },
  {
    names: "sort",
    values: "-k -t -S -T -o",
    reaches: "-o --output -T --temporary-directory --compress-program --files0-from",
  },
  { names: "uniq", values: "-f -s -w --skip-fields --skip-chars --check-chars", reads: 1 },
  {
    names: "xxd",
    values: "-c -g -l -s -o -n -cols -groupsize -len -seek -name",
    reads: 1,
    reaches: "-r -revert",
  },
  {
    names: "tsort fmt column expand unexpand pr ptx shuf iconv numfmt base32 base64 basenc",
    reaches: "-o --output -G --traditional",
  },
  { names: "wc du", reaches: "--files0-from" },
  { names: "ss", reaches: "-D --diag -K --kill" },
  { names: "date", reaches: "-s --set -f --file" },
  { names: "hostname", reaches: "-F --file -b", reads: 0 },
  { names: "diff sdiff diff3 colordiff", reaches: "-o --output --diff-program --to-file --from-file" },
  {
    names: "less more most pg",
    reaches:
      "-o -O --log-file --LOG-FILE -k --lesskey-file --lesskey-src --lesskey-content + -t --tag -T --tag-file",
  },
  {
    names: "man info apropos",
    reaches:
      "-P --pager -H --html -X --gxditview -C --config-file -M --manpath -o --output -r -l --local-file",
  },
  { names: "file", reaches: "-C --compile -m --magic-file -f --files-from -z -Z" },
  { names: "bat batcat delta", reaches: "--pager --paging --config-file --config-dir --diff-args" },
  { names: "yq xq tomlq", reaches: "-i --inplace --in-place -s --split-exp --split-exp-file -f --from-file" },
  {
    names: "xmllint xmlstarlet xsltproc",
    reaches:
      "-o --output --shell --catalogs --nocatalogs --path --dtdvalid --schema -L --inplace -F -d --writesubtree",
  },
  {
    // The options for a format are in `reaches`, because instead of a format they may name a Lua program, which pandoc then
    // runs. Its commands `lua` and `server` run a Lua program and a server.
    names: "pandoc",
    reaches: `-o --output -f --from -r --read -t --to -w --write -F --filter -L --lua-filter --pdf-engine --pdf-engine-opt
      --extract-media --data-dir --template -d --defaults --log lua server`,
  },
  { names: "openssl gpg gpg2 age ssh-keygen ssh-add ssh-agent pass op vault-cli", runs: "anything" },
];

const CHANGING: readonly ProgramRow[] = [
  {
    names: "cp mv ln link install",
    writes: true,
    reaches: "-t --target-directory -T --suffix -S --backup --strip-program -r -R -a --recursive --archive",
  },
  {
    names:
      "tee touch truncate mkdir rm unlink chmod chown chgrp setfacl chattr shred mkfifo mknod split csplit gunzip gzip bzip2 bunzip2 xz unxz zstd unzstd lz4",
    writes: true,
    reaches: "--filter --reference -d -o",
  },
  { names: "dd", writes: true, reaches: "of= if=" },
  {
    names: "patch",
    writes: true,
    reaches: "-o --output -d --directory -r --reject-file -e --ed -B -i --input --get -g",
  },
  {
    names: "tar bsdtar",
    writes: true,
    isBundled: true,
    reaches: `--to-command --checkpoint-action --use-compress-program -I -F --info-script --new-volume-script --rsh-command --rmt-command -C
      --directory --one-top-level -P --absolute-names -x --extract --get -c --create -r --append -u --update -A --catenate
      --concatenate --delete --index-file --volno-file -T --files-from -X --exclude-from --options --cd -s --transform --xform`,
  },
  {
    names: "zip",
    writes: true,
    reaches: "-T -TT --unzip-command --test-command -O --output-file -b --temp-path -m --move",
  },
  {
    names: "rsync",
    writes: true,
    reaches: `-e --rsh --rsync-path --daemon --config --log-file --write-batch --only-write-batch --files-from
    --backup-dir --temp-dir -T --partial-dir --remove-source-files --delete --password-file --early-input -r -a --recursive
    --archive`,
  },
  { names: "scp sftp", writes: true, reaches: "-o -S -F -J -b -D -P -i -c" },
  { names: "cpio pax ar 7z 7za rar unrar unzip", runs: "anything" },
  { names: "ffmpeg magick convert mogrify gs pdftk exiftool sox", runs: "anything" },
];

const SENDING: readonly ProgramRow[] = [
  {
    names: "curl",
    values:
      "-o -X -H -d -u -A -e -b -c -F -T -K -m -w -x --request --header --data --output --user --config --proxy --max-time",
    reaches: `-o --output -O --remote-name --remote-name-all -J --remote-header-name -T --upload-file -K --config -D --dump-header -c
      --cookie-jar --trace --trace-ascii --trace-config --libcurl --etag-save --etag-compare --hsts --alt-svc --stderr --output-dir
      --create-dirs -w --write-out --unix-socket --abstract-unix-socket -x --proxy --preproxy --socks4 --socks4a --socks5
      --socks5-hostname --proxy1.0 -d --data --data-ascii --data-binary --data-raw --data-urlencode -F --form --form-string --json
      -X --request --url-query -E --cert --key --engine --resolve --connect-to -Q --quote --mail-from --mail-rcpt --interface
      --dns-servers --doh-url --netrc-file -n --netrc --next -: -k --insecure --proto-default --ssl-sessions --url --variable`,
  },
  {
    names: "wget wget2",
    writes: true,
    reaches: `-O --output-document -o --output-file -a --append-output -P --directory-prefix -e --execute --use-askpass --post-data
      --post-file --body-data --body-file --method -i --input-file --config --warc-file --save-cookies --load-cookies --rejected-log
      --no-check-certificate -B --base --ca-certificate --certificate --private-key --hsts-file -N -x -r --recursive -m --mirror
      --content-disposition --default-page --trust-server-names`,
  },
  {
    names: "http https xh xhs httpie",
    reaches:
      "-o --output -d --download -A --auth-type --auth -a --session --session-read-only --cert --cert-key --proxy --verify = := @",
  },
];

export const FILES: readonly ProgramRow[] = [...FINDING, ...PRINTING, ...CHANGING, ...SENDING];
