/* lab_umad: stands in for the kernel's /dev/infiniband/umad0 and issm0 in front of an ibsim.
 *
 * Preload it (or link it before libibumad).  It speaks ibsim's datagram protocol and, unlike the
 * library that comes with ibsim, gives what the kernel gives: whole 256-byte MADs, RMPP for agents
 * registered with rmpp_version 1, send timeouts with retries, delivery by agent and method mask,
 * real file descriptors (poll, epoll and select work, also next to other descriptors), sysfs values
 * that follow the port, and an exit that neither hangs nor crashes with MADs in flight.
 *
 * Environment: IBSIM_SOCKNAME, SIM_HOST, SIM_SET_ISSM as for ibsim's library; LAB_UMAD_WAIT seconds to
 * wait for the simulator (10); LAB_UMAD_DIR for the fake sysfs (else TMPDIR, /tmp); LAB_UMAD_LISTEN=1
 * lets a client receive requests (SA reports) without looking like an SM; LAB_UMAD_SLOW=1 makes a
 * dropped MAD cost its real timeout and retries (otherwise a drop that ibsim reports is retried, and
 * failed, at once).
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

struct umad_hdr {		/* struct ib_user_mad_hdr with pkey index, 64 bytes */
	uint32_t agent, status, timeout_ms, retries, length;
	uint32_t qpn, qkey;	/* big endian from here */
	uint16_t lid;
	uint8_t sl, path_bits, grh, gid_index, hop, tclass, gid[16];
	uint32_t flow;
	uint16_t pkey_index;
	uint8_t rsv[6];
};
struct reg1 { uint32_t id, mask[4]; uint8_t qpn, cls, ver, oui[3], rmpp; };
struct reg2 { uint32_t id, qpn; uint8_t cls, ver; uint16_t res; uint32_t flags; uint64_t mask[2];
	      uint32_t oui; uint8_t rmpp, rsv[3]; };
struct pkt { uint32_t dlid, slid, dqp, sqp, status; uint64_t length; uint8_t mad[256]; };
struct ctl { uint32_t magic, client, type, len; uint8_t data[64]; };
enum { CTL_ERROR, CTL_CONNECT, CTL_DISCONNECT, CTL_VENDOR = 4, CTL_NODEINFO = 7, CTL_PORTINFO,
       CTL_SET_ISSM, CTL_PKEYS };

enum { HDR = sizeof(struct umad_hdr), SA_HDR = 56, SEG = 200, PAY = 220, WIN = 64, NAGENT = 32, NFD = 16 };

struct msg { struct msg *next; size_t size; uint8_t d[]; };
struct ufd { int fd, used, nonblock; struct msg *head, **tail; };
struct agent { int used; struct ufd *f; uint8_t qpn, cls, rmpp, user_rmpp; uint32_t mask[4]; };
struct pend { struct pend *next; uint64_t tid; double at; int ms, retries, agent, rmpp; struct pkt p;
	      struct umad_hdr h; };
struct tx { struct tx *next; uint64_t tid; double at; unsigned total, sent, pad; struct pkt p; uint8_t *d; };
struct out { struct out *next; struct pkt p; };
struct rx { struct rx *next; uint64_t tid; uint32_t slid; double at; unsigned seq, win; size_t len; uint8_t *d; };

static int (*r_open)(const char *, int, ...);
static int (*r_close)(int), (*r_ioctl)(int, unsigned long, ...);
static ssize_t (*r_read)(int, void *, size_t), (*r_write)(int, const void *, size_t);
static DIR *(*r_opendir)(const char *);
typedef int (*sel_t)(const struct dirent *);
typedef int (*cmp_t)(const struct dirent **, const struct dirent **);
static int (*r_scandir)(const char *, struct dirent ***, sel_t, cmp_t);

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;	/* fds, agents, pend, tx, rx */
static pthread_mutex_t ctl_mu = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t libc_once = PTHREAD_ONCE_INIT, dev_once = PTHREAD_ONCE_INIT;
static struct ufd fds[NFD];
static struct agent agents[NAGENT];
static struct pend *pends[256];
static double wake_at, sleeps_to;	/* next deadline; what the receiver's poll waits for */
static struct out *outq, **outtail = &outq;
static struct tx *txs;
static struct rx *rxs;
static int sock = -1, ctl_fd = -1, issm_fd = -1, wake = -1, client = -1, up, slow, issm_on;
static int stop;
#define STOP() __atomic_load_n(&stop, __ATOMIC_ACQUIRE)
static pid_t owner;
static pthread_t thr;
static char root[128];
static uint8_t nodeinfo[64], portinfo[64], pkeys[64], vendor[64];

static void libc_init(void)
{
	r_open = dlsym(RTLD_NEXT, "open");
	r_close = dlsym(RTLD_NEXT, "close");
	r_ioctl = dlsym(RTLD_NEXT, "ioctl");
	r_read = dlsym(RTLD_NEXT, "read");
	r_write = dlsym(RTLD_NEXT, "write");
	r_opendir = dlsym(RTLD_NEXT, "opendir");
	r_scandir = dlsym(RTLD_NEXT, "scandir");
}
#define LIBC() pthread_once(&libc_once, libc_init)

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}
static uint64_t be(const uint8_t *p, int n) { uint64_t v = 0; while (n--) v = v << 8 | *p++; return v; }
static void put32(uint8_t *p, uint32_t v) { v = htobe32(v); memcpy(p, &v, 4); }
static uint64_t tid48(const uint8_t *m) { return be(m + 10, 6); }
static int is_resp(const uint8_t *m) { return m[3] & 0x80 || m[3] == 0x07; }
static int is_smi(uint8_t c) { return c == 1 || c == 0x81; }

/* ------------------------------------------------------------ simulator */
static socklen_t addr(struct sockaddr_un *a, const char *fmt, ...)
{
	const char *n = getenv("IBSIM_SOCKNAME");
	va_list ap;
	int k;
	memset(a, 0, sizeof *a);
	a->sun_family = AF_UNIX;
	k = snprintf(a->sun_path + 1, 80, "%s:", n && *n ? n : "sim");
	va_start(ap, fmt);
	k += vsnprintf(a->sun_path + 1 + k, 20, fmt, ap);
	va_end(ap);
	return offsetof(struct sockaddr_un, sun_path) + k + 2;	/* both NULs count */
}

static int do_ctl(int type, void *data, int len)
{
	struct ctl c = { 0xdeadbeef, client < 0 ? 0 : client, type, len, { 0 } };
	struct pollfd p = { ctl_fd, POLLIN, 0 };
	int ok;
	memcpy(c.data, data, len);
	pthread_mutex_lock(&ctl_mu);
	ok = send(ctl_fd, &c, sizeof c, MSG_NOSIGNAL) == sizeof c && poll(&p, 1, 5000) > 0 &&
	     recv(ctl_fd, &c, sizeof c, 0) == sizeof c && c.type != CTL_ERROR;
	pthread_mutex_unlock(&ctl_mu);
	if (ok)
		memcpy(data, c.data, len);
	return ok ? 0 : -1;
}

/* ------------------------------------------------------------ queues; all under mu */
/* never blocks: ibsim stops reading from us while our own receive queue is full */
static void trace(const uint8_t *mad)
{
	static int fd = -2;
	const char *t = fd == -2 ? getenv("LAB_UMAD_TRACE") : NULL;
	if (fd == -2)
		fd = t ? r_open(t, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
	if (fd >= 0 && getenv("LAB_UMAD_TRACE_TIMES")) {
		uint8_t record[264];
		struct timespec now;
		uint64_t ns;
		clock_gettime(CLOCK_MONOTONIC, &now);
		ns = (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
		memcpy(record, &ns, sizeof ns);
		memcpy(record + 8, mad, 256);
		if (r_write(fd, record, sizeof record) != sizeof record)
			perror("lab_umad: LAB_UMAD_TRACE");
	} else if (fd >= 0 && r_write(fd, mad, 256) != 256) {
		perror("lab_umad: LAB_UMAD_TRACE");
	}
}

static int raw_send(const struct pkt *p)
{
	struct out *o;
	trace(p->mad);
	if (!outq) {
		if (send(sock, p, sizeof *p, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof *p)
			return 0;
		if (errno != EAGAIN && errno != ENOBUFS)
			return -1;
	}
	o = malloc(sizeof *o);
	o->next = NULL;
	o->p = *p;
	*outtail = o;
	outtail = &o->next;
	return 0;
}

static void flush_out(void)
{
	struct out *o;
	while ((o = outq) && (send(sock, &o->p, sizeof o->p, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0 || errno != EAGAIN)) {
		if (!(outq = o->next))
			outtail = &outq;
		free(o);
	}
}

#define BUCKET(tid) (&pends[(tid) & 255])
static struct pend *find_pend(uint64_t tid)
{
	struct pend *p = *BUCKET(tid);
	while (p && p->tid != tid)
		p = p->next;
	return p;
}

static void deliver(int ag, struct umad_hdr h, const uint8_t *mad, size_t len)
{
	struct ufd *f = agents[ag].f;
	struct msg *m = malloc(sizeof *m + HDR + len);
	uint64_t one = 1;
	if (!m)
		return;
	h.agent = ag;
	h.length = HDR + len;
	m->next = NULL;
	m->size = HDR + len;
	memcpy(m->d, &h, HDR);
	memcpy(m->d + HDR, mad, len);
	if (!f->head && r_write(f->fd, &one, 8) < 0)
		perror("lab_umad");
	*f->tail = m;
	f->tail = &m->next;
}

static struct pend *take_pend(uint64_t tid)
{
	struct pend **pp, *p;
	for (pp = BUCKET(tid); (p = *pp); pp = &p->next)
		if (p->tid == tid) {
			*pp = p->next;
			return p;
		}
	return NULL;
}

static void put_pend(struct pend *p)
{
	p->next = *BUCKET(p->tid);
	*BUCKET(p->tid) = p;
}

static void failed(struct pend *p)
{
	if (agents[p->agent].used) {
		p->h.status = ETIMEDOUT;
		deliver(p->agent, p->h, p->p.mad, 24);	/* the kernel returns the MAD header only */
	}
	free(p);
}

static int expire(void)		/* ms to the next deadline */
{
	double t = now(), next = t + 60;
	struct pend **pp, *p;
	struct tx **tp, *x;
	int i;
	if (t < wake_at)
		return (int)((wake_at - t) * 1000) + 1;
	for (i = 0; i < 256; i++)
		for (pp = &pends[i]; (p = *pp);) {
			if (p->at <= t) {
				if (p->retries-- <= 0) {
					*pp = p->next;
					failed(p);
					continue;
				}
				p->at = t + p->ms / 1e3;
				raw_send(&p->p);
			}
			if (p->at < next)
				next = p->at;
			pp = &p->next;
		}
	for (tp = &txs; (x = *tp);)
		if (x->at <= t) {	/* receiver never finished */
			*tp = x->next;
			free(x->d);
			free(x);
		} else
			tp = &x->next;
	wake_at = next;
	return (int)((next - t) * 1000) + 1;
}

static void tx_push(struct tx *x, unsigned upto)
{
	while (x->sent < upto && x->sent < x->total) {
		struct pkt p = x->p;
		unsigned s = ++x->sent;
		p.mad[24] = p.mad[25] = 1;
		p.mad[26] = (p.mad[26] & 0xf8) | 1 | (s == 1) << 1 | (s == x->total) << 2;
		p.mad[27] = 0;
		put32(p.mad + 28, s);
		put32(p.mad + 32, s == 1 ? x->total * PAY - x->pad : s == x->total ? PAY - x->pad : 0);
		memcpy(p.mad + SA_HDR, x->d + (s - 1) * SEG, SEG);
		raw_send(&p);
	}
}

static void tx_start(const struct pkt *p, const uint8_t *mad, size_t len)
{
	struct tx *x = calloc(1, sizeof *x);
	size_t n = len > SA_HDR ? len - SA_HDR : 0;
	x->tid = tid48(p->mad);
	x->total = n ? (n + SEG - 1) / SEG : 1;
	x->pad = x->total * SEG - n;
	x->d = calloc(x->total, SEG);
	memcpy(x->d, mad + SA_HDR, n);
	x->p = *p;
	x->at = now() + 40;
	x->next = txs;
	txs = x;
	tx_push(x, 1);
}

/* an RMPP packet for an agent that left RMPP to the kernel; returns the whole MAD when complete */
static uint8_t *rmpp_in(const struct pkt *p, size_t *len)
{
	const uint8_t *m = p->mad;
	uint64_t tid = tid48(m);
	unsigned seg = be(m + 28, 4), pay = be(m + 32, 4);
	struct tx **tp, *x;
	struct rx **rp, *q;
	struct pend *w;
	uint8_t *d;

	if (m[25] != 1) {			/* ACK, STOP, ABORT */
		for (tp = &txs; (x = *tp) && x->tid != tid; tp = &x->next)
			;
		if (x && m[25] == 2 && seg < x->total) {
			tx_push(x, pay);
			x->at = now() + 40;
		} else if (x) {
			*tp = x->next;
			free(x->d);
			free(x);
		}
		return NULL;
	}
	for (rp = &rxs; (q = *rp) && (q->tid != tid || q->slid != p->slid); rp = &q->next)
		;
	if (seg == 1) {
		if (!q) {
			q = *rp = calloc(1, sizeof *q);
			q->tid = tid;
			q->slid = p->slid;
		}
		q->d = realloc(q->d, SA_HDR);
		memcpy(q->d, m, SA_HDR);
		q->len = SA_HDR;
		q->seq = 0;
		q->win = 1;
	}
	if (!q)
		return NULL;
	if (seg == q->seq + 1) {
		q->d = realloc(q->d, q->len + SEG);
		memcpy(q->d + q->len, m + SA_HDR, SEG);
		q->len += SEG;
		q->seq = seg;
	}
	if ((w = find_pend(tid)))
		w->at = now() + 1 + w->ms / 1e3;
	if (m[26] & 4 || seg >= q->win) {
		struct pkt a;
		memset(&a, 0, sizeof a);
		a.dlid = p->slid;
		a.dqp = p->sqp;
		a.sqp = htobe32(1);
		a.length = htobe64(256);
		memcpy(a.mad, m, SA_HDR);
		a.mad[3] ^= 0x80;
		a.mad[25] = 2;
		a.mad[26] = (m[26] & 0xf8) | 1;
		a.mad[27] = 0;
		q->win = q->seq + WIN;
		put32(a.mad + 28, q->seq);
		put32(a.mad + 32, q->win);
		raw_send(&a);
	}
	if (!(m[26] & 4) || seg != q->seq)
		return NULL;
	*rp = q->next;
	*len = q->len - (pay && pay < PAY ? PAY - pay : 0);
	d = q->d;
	free(q);
	return d;
}

static void input(const struct pkt *p)
{
	const uint8_t *m = p->mad;
	uint8_t *whole = NULL;
	uint64_t tid = tid48(m);
	size_t len = 256;
	struct umad_hdr h;
	struct pend *w = NULL;
	int ag = -1, i;

	memset(&h, 0, sizeof h);
	h.qpn = p->sqp;
	h.lid = p->slid;
	trace(m);
	if (p->status) {			/* ibsim could not deliver it */
		if (slow || is_resp(m) || !(w = take_pend(tid)))
			return;
		if (w->retries-- > 0) {
			put_pend(w);
			raw_send(&w->p);
		} else
			failed(w);
		return;
	}
	if (m[3] & 0x80) {
		ag = (tid >> 32) & 0xffff;
		if (ag >= NAGENT || !agents[ag].used)
			return;
	} else
		for (i = 0; i < NAGENT; i++)
			if (agents[i].used && agents[i].cls == m[1] && agents[i].mask[(m[3] & 127) / 32] >> (m[3] & 31) & 1)
				ag = i;
	if (!is_smi(m[1]) && m[26] & 1) {	/* RMPP packet */
		if (ag < 0)			/* an ACK need not match a method mask */
			for (i = 0; i < NAGENT; i++)
				if (agents[i].used && agents[i].cls == m[1] && agents[i].rmpp)
					ag = i;
		if (ag >= 0 && agents[ag].rmpp && !agents[ag].user_rmpp) {
			if (!(whole = rmpp_in(p, &len)))
				return;
			m = whole;
		}
	}
	if (ag >= 0 && m[3] & 0x80) {
		if (agents[ag].user_rmpp && !is_smi(m[1]) && m[26] & 1) {
			if ((w = find_pend(tid)))	/* more packets of this response may follow */
				w->at = now() + 1 + w->ms / 1e3;
		} else if (!(w = take_pend(tid)))
			ag = -1;		/* late or unexpected */
		else
			free(w);
	}
	if (ag >= 0)
		deliver(ag, h, m, len);
	free(whole);
}

static void *receiver(void *arg)
{
	struct pkt p;
	uint64_t n;
	(void)arg;
	while (!STOP()) {
		struct pollfd f[2] = { { sock, POLLIN, 0 }, { wake, POLLIN, 0 } };
		int ms;
		pthread_mutex_lock(&mu);
		flush_out();
		ms = expire();
		sleeps_to = wake_at;
		if (outq)
			f[0].events |= POLLOUT;
		pthread_mutex_unlock(&mu);
		if (poll(f, 2, ms) <= 0)
			continue;
		if (f[1].revents && r_read(wake, &n, 8) < 0)
			continue;
		while (!STOP() && recv(sock, &p, sizeof p, MSG_DONTWAIT) == sizeof p) {
			pthread_mutex_lock(&mu);
			input(&p);
			pthread_mutex_unlock(&mu);
		}
	}
	return NULL;
}

/* ------------------------------------------------------------ sysfs */
static void mkdirs(char *p)
{
	char *s;
	for (s = p + strlen(root) + 1; (s = strchr(s, '/')); s++) {
		*s = 0;
		mkdir(p, 0755);
		*s = '/';
	}
}

static void sysfile(const char *path, const char *fmt, ...)
{
	char p[512], tmp[520];
	va_list ap;
	FILE *f;
	snprintf(p, sizeof p, "%s/sys/class/%s", root, path);
	snprintf(tmp, sizeof tmp, "%s~", p);
	if (!(f = fopen(tmp, "w"))) {
		mkdirs(p);
		if (!(f = fopen(tmp, "w")))
			return;
	}
	va_start(ap, fmt);
	vfprintf(f, fmt, ap);
	va_end(ap);
	fclose(f);
	rename(tmp, p);
}

static const char *guid4(uint64_t g, char *b)
{
	sprintf(b, "%04x:%04x:%04x:%04x", (unsigned)(g >> 48), (unsigned)(g >> 32) & 0xffff,
		(unsigned)(g >> 16) & 0xffff, (unsigned)g & 0xffff);
	return b;
}

static int port_no(void) { return nodeinfo[2] == 2 ? 0 : portinfo[28]; }

static void port_files(void)
{
	static const char *st[] = { "NOP", "DOWN", "INIT", "ARMED", "ACTIVE", "ACTIVE_DEFER" };
	static const char *ph[] = { "<unknown>", "Sleep", "Polling", "Disabled", "PortConfigurationTraining",
				    "LinkUp", "LinkErrorRecovery", "Phy Test" };
	uint8_t *pi = portinfo;
	int s = pi[32] & 15, f = pi[33] >> 4, w = pi[31], x, sp = pi[35] >> 4, e = pi[62] >> 4, i;
	char d[128], p[256], a[32], b[32];
	uint64_t guid = be(nodeinfo + 12, 8) + port_no();
	snprintf(d, sizeof d, "infiniband/ibsim0/ports/%d", port_no());
#define F(name, ...) (snprintf(p, sizeof p, "%s/%s", d, name), sysfile(p, __VA_ARGS__))
	F("lid", "0x%x\n", (unsigned)be(pi + 16, 2));
	F("sm_lid", "0x%x\n", (unsigned)be(pi + 18, 2));
	F("lid_mask_count", "%d\n", pi[34] & 7);
	F("sm_sl", "%d\n", pi[36] & 15);
	F("state", "%d: %s\n", s, s < 6 ? st[s] : "<unknown>");
	F("phys_state", "%d: %s\n", f, f < 8 ? ph[f] : ph[0]);
	x = w == 1 ? 1 : w == 2 ? 4 : w == 4 ? 8 : w == 8 ? 12 : w == 16 ? 2 : 0;
	if (e)
		F("rate", "%d Gb/sec (%dX %s)\n", x * (e == 1 ? 14 : e == 2 ? 25 : e == 4 ? 50 : 100), x,
		  e == 1 ? "FDR" : e == 2 ? "EDR" : e == 4 ? "HDR" : "NDR");
	else
		F("rate", "%d%s Gb/sec (%dX%s)\n", x * sp * 25 / 10, x * sp * 25 % 10 ? ".5" : "", x,
		  sp == 2 ? " DDR" : sp == 4 ? " QDR" : "");
	F("cap_mask", "0x%08x\n", (unsigned)be(pi + 20, 4));
	F("link_layer", "InfiniBand\n");
	F("gids/0", "%s:%s\n", guid4(be(pi + 8, 8), a), guid4(guid, b));
	for (i = 0; i < 32 && !up; i++) {	/* ibsim tells them only at the start */
		snprintf(a, sizeof a, "pkeys/%d", i);
		F(a, "0x%04x\n", (unsigned)be(pkeys + 2 * i, 2));
	}
}

static void refresh(void)
{
	static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	static double last;
	uint8_t pi[64] = { 0 };
	double t = now();
	pthread_mutex_lock(&m);
	if (t - last > 0.02 && !do_ctl(CTL_PORTINFO, pi, 64)) {
		last = t;
		if (memcmp(pi, portinfo, 64)) {
			memcpy(portinfo, pi, 64);
			port_files();
		}
	}
	pthread_mutex_unlock(&m);
}

static void rm_tree(char *p, size_t cap)
{
	size_t n = strlen(p);
	struct dirent *e;
	DIR *d = r_opendir(p);
	while (d && (e = readdir(d)))
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) {
			snprintf(p + n, cap - n, "/%s", e->d_name);
			if (unlink(p))
				rm_tree(p, cap);
			p[n] = 0;
		}
	if (d)
		closedir(d);
	rmdir(p);
}

static int set_issm(int on)
{
	uint8_t z[64] = { 0 };
	memcpy(z, &on, 4);
	issm_on = on;
	return do_ctl(CTL_SET_ISSM, z, 4);
}

static void dev_exit(void)
{
	uint64_t one = 1;
	char p[600], z[64] = "";
	if (getpid() != owner)
		return;				/* exit() in a forked child */
	/* the receiver goes on draining meanwhile: ibsim spins while our queue is full */
	if (issm_on)
		set_issm(0);		/* a disconnect alone would leave the port's IsSM bit set */
	do_ctl(CTL_DISCONNECT, z, 0);
	__atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
	if (r_write(wake, &one, 8) == 8)
		pthread_join(thr, NULL);
	snprintf(p, sizeof p, "%s", root);
	rm_tree(p, sizeof p);
}

static void dev_init(void)
{
	struct sockaddr_un a;
	socklen_t n;
	struct { uint32_t id, qp, issm; char node[32]; } info = { 0 };
	const char *host = getenv("SIM_HOST"), *w = getenv("LAB_UMAD_WAIT"), *t = getenv("LAB_UMAD_DIR");
	double until = now() + (w ? atof(w) : 10);
	char g[32];

	if (!t || !*t)
		t = getenv("TMPDIR");
	slow = getenv("LAB_UMAD_SLOW") != NULL;
	owner = getpid();
	ctl_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	sock = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	n = addr(&a, "ctl%d", owner);
	if (bind(ctl_fd, (void *)&a, n) < 0)
		goto bad;
	n = addr(&a, "in%d", owner);
	if (bind(sock, (void *)&a, n) < 0)
		goto bad;
	n = addr(&a, "ctl");
	while (connect(ctl_fd, (void *)&a, n) < 0) {
		if (errno != ECONNREFUSED || now() > until)
			goto bad;
		usleep(20000);
	}
	info.id = owner;
	/* ibsim passes requests (SA reports, for example) only to clients that connect as an SM */
	info.issm = getenv("SIM_SET_ISSM") || getenv("LAB_UMAD_LISTEN");
	if (host)
		strncpy(info.node, host, sizeof info.node - 1);
	if (do_ctl(CTL_CONNECT, &info, sizeof info)) {
		fprintf(stderr, "lab_umad: ibsim refused the connection (unknown SIM_HOST, or 10 clients already)\n");
		return;
	}
	client = info.id;
	n = addr(&a, "out%d", client);
	if (connect(sock, (void *)&a, n) < 0)
		goto bad;
	if (do_ctl(CTL_VENDOR, vendor, 64) || do_ctl(CTL_NODEINFO, nodeinfo, 64) ||
	    do_ctl(CTL_PORTINFO, portinfo, 64) || do_ctl(CTL_PKEYS, pkeys, 64))
		goto bad;
	if (getenv("SIM_SET_ISSM"))
		set_issm(1);
	snprintf(root, sizeof root, "%s/lab_umad.%d.XXXXXX", t && *t ? t : "/tmp", owner);
	wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (!mkdtemp(root) || wake < 0)
		goto bad;
	sysfile("infiniband_mad/abi_version", "5\n");
	sysfile("infiniband_mad/umad0/ibdev", "ibsim0\n");
	sysfile("infiniband_mad/umad0/port", "%d\n", port_no());
	sysfile("infiniband_mad/issm0/ibdev", "ibsim0\n");
	sysfile("infiniband_mad/issm0/port", "%d\n", port_no());
	sysfile("infiniband/ibsim0/node_type", "%d: %s\n", nodeinfo[2], nodeinfo[2] == 1 ? "CA" : nodeinfo[2] == 2 ?
		"SWITCH" : "ROUTER");
	sysfile("infiniband/ibsim0/fw_ver", "1\n");
	sysfile("infiniband/ibsim0/hw_rev", "%x\n", *(uint32_t *)(vendor + 8));
	sysfile("infiniband/ibsim0/hca_type", "simulator\n");
	sysfile("infiniband/ibsim0/node_guid", "%s\n", guid4(be(nodeinfo + 12, 8), g));
	sysfile("infiniband/ibsim0/sys_image_guid", "%s\n", guid4(be(nodeinfo + 4, 8), g));
	port_files();
	if (pthread_create(&thr, NULL, receiver, NULL))
		goto bad;
	atexit(dev_exit);
	up = 1;
	return;
bad:
	fprintf(stderr, "lab_umad: no simulator at \"%s\": %s\n",
		getenv("IBSIM_SOCKNAME") ? getenv("IBSIM_SOCKNAME") : "sim", strerror(errno));
}

/* ------------------------------------------------------------ what libibumad calls */
static int is_sys(const char *p)
{
	return !strncmp(p, "/sys/class/infiniband", 21) && (p[21] == 0 || p[21] == '/' || !strncmp(p + 21, "_mad", 4));
}

static const char *map(const char *p, char *b, size_t n)
{
	LIBC();
	if (!is_sys(p))
		return p;
	pthread_once(&dev_once, dev_init);
	if (!up)
		return "/nonexistent";
	if (strstr(p, "/ports"))
		refresh();
	snprintf(b, n, "%s%s", root, p);
	return b;
}

static struct ufd *find_fd(int fd)
{
	int i;
	if (up && fd >= 0)
		for (i = 0; i < NFD; i++)
			if (__atomic_load_n(&fds[i].used, __ATOMIC_ACQUIRE) && fds[i].fd == fd)
				return &fds[i];
	return NULL;
}

static int open_umad(int flags)
{
	int i;
	pthread_mutex_lock(&mu);
	for (i = 0; i < NFD && fds[i].used; i++)
		;
	if (i < NFD && (fds[i].fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) >= 0) {
		fds[i].head = NULL;
		fds[i].tail = &fds[i].head;
		fds[i].nonblock = flags & O_NONBLOCK;
		__atomic_store_n(&fds[i].used, 1, __ATOMIC_RELEASE);
		pthread_mutex_unlock(&mu);
		return fds[i].fd;
	}
	pthread_mutex_unlock(&mu);
	errno = EMFILE;
	return -1;
}

int open(const char *path, int flags, ...)
{
	char b[512];
	mode_t mode = 0;
	va_list ap;
	LIBC();
	if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) {
		va_start(ap, flags);
		mode = va_arg(ap, mode_t);
		va_end(ap);
	}
	if (!strncmp(path, "/dev/infiniband/umad", 20) || !strncmp(path, "/dev/infiniband/issm", 20)) {
		pthread_once(&dev_once, dev_init);
		if (!up || strcmp(path + 20, "0")) {
			errno = ENOENT;
			return -1;
		}
		if (path[16] == 'u')
			return open_umad(flags);
		if (issm_fd >= 0) {
			errno = EAGAIN;
			return -1;
		}
		if (set_issm(1))
			return -1;
		return issm_fd = r_open("/dev/null", O_RDONLY | O_CLOEXEC);
	}
	return r_open(map(path, b, sizeof b), flags, mode);
}

int open64(const char *path, int flags, ...)
{
	mode_t mode;
	va_list ap;
	va_start(ap, flags);
	mode = va_arg(ap, mode_t);
	va_end(ap);
	return open(path, flags, mode);
}

DIR *opendir(const char *path)
{
	char b[512];
	const char *p = map(path, b, sizeof b);
	return r_opendir(p);
}

int scandir(const char *path, struct dirent ***l, sel_t s, cmp_t c)
{
	char b[512];
	const char *p = map(path, b, sizeof b);
	return r_scandir(p, l, s, c);
}

static void drop_agent(int i)
{
	struct pend **pp, *p;
	int b;
	agents[i].used = 0;
	for (b = 0; b < 256; b++)
		for (pp = &pends[b]; (p = *pp);)
			if (p->agent == i) {
				*pp = p->next;
				free(p);
			} else
				pp = &p->next;
}

int close(int fd)
{
	struct ufd *f;
	struct msg *m;
	int i;
	LIBC();
	if (fd >= 0 && fd == issm_fd) {
		issm_fd = -1;
		set_issm(0);
		return r_close(fd);
	}
	if (!(f = find_fd(fd)))
		return r_close(fd);
	pthread_mutex_lock(&mu);
	for (i = 0; i < NAGENT; i++)
		if (agents[i].used && agents[i].f == f)
			drop_agent(i);
	while ((m = f->head)) {
		f->head = m->next;
		free(m);
	}
	__atomic_store_n(&f->used, 0, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&mu);
	return r_close(fd);
}

ssize_t read(int fd, void *buf, size_t count)
{
	struct ufd *f;
	struct msg *m;
	uint64_t n;
	LIBC();
	if (!(f = find_fd(fd)))
		return r_read(fd, buf, count);
	for (;;) {
		ssize_t r = -1;
		struct pollfd p = { fd, POLLIN, 0 };
		pthread_mutex_lock(&mu);
		if (!(m = f->head))
			errno = EAGAIN;
		else if (m->size > count) {
			memcpy(buf, m->d, count);	/* stays queued; its length tells what is needed */
			errno = ENOSPC;
		} else {
			memcpy(buf, m->d, r = m->size);
			if (!(f->head = m->next)) {
				f->tail = &f->head;
				if (r_read(fd, &n, 8) < 0)
					perror("lab_umad");
			}
			free(m);
		}
		pthread_mutex_unlock(&mu);
		if (r >= 0 || errno != EAGAIN || f->nonblock)
			return r;
		poll(&p, 1, -1);
	}
}

ssize_t write(int fd, const void *buf, size_t count)
{
	struct umad_hdr h;
	const uint8_t *mad = (const uint8_t *)buf + HDR;
	struct agent a;
	struct pkt p;
	uint64_t one = 1;
	int rmpp, poke, bad = 0;
	LIBC();
	if (!find_fd(fd))
		return r_write(fd, buf, count);
	memcpy(&h, buf, HDR < count ? HDR : count);
	pthread_mutex_lock(&mu);
	if (count < HDR + 24 || h.agent >= NAGENT || !agents[h.agent].used) {
		pthread_mutex_unlock(&mu);
		errno = EINVAL;
		return -1;
	}
	a = agents[h.agent];
	memset(&p, 0, sizeof p);
	p.dlid = h.lid;
	p.slid = h.lid == 0xffff ? 0xffff : 0;
	p.dqp = h.qpn;
	p.sqp = htobe32(a.qpn);
	p.length = htobe64(256);
	memcpy(p.mad, mad, count - HDR < 256 ? count - HDR : 256);
	rmpp = a.rmpp && !a.user_rmpp && !is_smi(p.mad[1]) && p.mad[26] & 1;
	if (!is_resp(p.mad)) {
		p.mad[8] = p.mad[9] = p.mad[10] = 0;
		p.mad[11] = h.agent;
		if (h.timeout_ms) {
			struct pend *w = calloc(1, sizeof *w);
			free(take_pend(tid48(p.mad)));
			w->tid = tid48(p.mad);
			w->ms = h.timeout_ms;
			w->retries = rmpp ? 0 : h.retries;
			w->at = now() + w->ms / 1e3;
			w->agent = h.agent;
			w->p = p;
			w->h = h;
			put_pend(w);
			if (w->at < wake_at)
				wake_at = w->at;
		}
	}
	poke = !outq;
	if (rmpp)
		tx_start(&p, mad, count - HDR);
	else
		bad = raw_send(&p);
	poke = (poke && outq) || wake_at < sleeps_to;
	if (wake_at < sleeps_to)
		sleeps_to = wake_at;
	pthread_mutex_unlock(&mu);
	if (poke && r_write(wake, &one, 8) < 0)
		perror("lab_umad");
	if (bad) {
		errno = EIO;
		return -1;
	}
	return count;
}

static int reg(struct ufd *f, uint8_t qpn, uint8_t cls, uint8_t rmpp, int user, const void *mask)
{
	int i, j, id = -1;
	pthread_mutex_lock(&mu);
	for (i = NAGENT - 1; i >= 0; i--)
		if (!agents[i].used)
			id = i;
	for (i = 0; id >= 0 && i < NAGENT; i++)		/* one receiver per class and method, as in the kernel */
		for (j = 0; j < 4; j++)
			if (agents[i].used && agents[i].cls == cls && agents[i].mask[j] & ((const uint32_t *)mask)[j])
				id = -2;
	if (id >= 0) {
		agents[id] = (struct agent) { 1, f, qpn, cls, rmpp, user, { 0 } };
		memcpy(agents[id].mask, mask, 16);
	}
	pthread_mutex_unlock(&mu);
	errno = id == -1 ? ENOMEM : EINVAL;
	return id < 0 ? -1 : id;
}

int ioctl(int fd, unsigned long req, ...)
{
	struct ufd *f;
	va_list ap;
	void *arg;
	int id;
	va_start(ap, req);
	arg = va_arg(ap, void *);
	va_end(ap);
	LIBC();
	if (!(f = find_fd(fd)))
		return r_ioctl(fd, req, arg);
	if ((req >> 8 & 0xff) == 0x1b)
		switch (req & 0xff) {
		case 1: {
			struct reg1 *r = arg;
			uint32_t m[4];
			memcpy(m, r->mask, 16);
			if ((id = reg(f, r->qpn, r->cls, r->rmpp, 0, m)) >= 0)
				r->id = id;
			return id < 0 ? -1 : 0;
		}
		case 2:
			memcpy(&id, arg, 4);
			if (id < 0 || id >= NAGENT || !agents[id].used)
				break;
			pthread_mutex_lock(&mu);
			drop_agent(id);
			pthread_mutex_unlock(&mu);
			return 0;
		case 3:
			return 0;
		case 4: {
			struct reg2 *r = arg;
			if (r->flags & ~1u) {
				r->flags = 1;
				break;
			}
			if ((id = reg(f, r->qpn, r->cls, r->rmpp, r->flags & 1, r->mask)) >= 0)
				r->id = id;
			return id < 0 ? -1 : 0;
		}
		}
	errno = EINVAL;
	return -1;
}
