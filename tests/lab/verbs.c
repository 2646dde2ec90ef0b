/* A stand-in for libibverbs, to be preloaded beside the lab's umad library: so programs that want verbs, such
 * as ibacm and srp_daemon, run on ibsim.
 *
 * There is one device with one port, that of the simulated fabric: what is asked of it is read by umad. UD
 * queue pairs are datagram sockets in the folder LAB_VERBS_DIR, which all programs of one fabric share:
 * LID.QPN, and a link MGID.LID.QPN for each multicast group that a queue pair is attached to. So data goes
 * from program to program and not over the simulator's links. A datagram to queue pair 1 is a management
 * datagram and goes over the fabric. The answer comes to the queue pair that asked, and reports to the one
 * that subscribed last (ibsim carries no other QPN than 1).
 *
 * Like hardware: datagrams with another Q_Key or P_Key, without a posted receive or beyond its size are lost.
 * Events tell changes of LID, SM LID and state; ClientReregister is not seen.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/umad.h>
#include <infiniband/verbs.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#undef ibv_query_port
#undef ibv_reg_mr

enum {
  kPort = 1,
  kMost = 16, /* queue pairs, contexts */
  kDepth = 2048,
  kGrh = 40,
  kPayload = 4096,
  kMad = 256,
  kSaClass = 3,
  kReport = 6,
  kInformInfo = 3,
  kFirstMulticastLid = 0xc000,
  kPollMs = 50,
};

struct packet {
  uint32_t source_qpn, q_key, length;
  uint16_t source_lid, p_key;
  uint8_t sl, has_grh;
  struct ibv_grh grh;
  uint8_t payload[kPayload];
};

struct channel {
  struct ibv_comp_channel base;
  int write_end;
};

struct queue {
  struct ibv_cq base;
  struct ibv_wc done[kDepth];
  unsigned first, count;
  int armed;
};

struct receive {
  uint64_t id;
  uint8_t* to;
  uint32_t room;
};

struct pair {
  struct ibv_qp base;
  int fd, signals_all;
  uint32_t q_key;
  uint16_t p_key_index;
  struct receive posted[kDepth];
  unsigned first, count;
  struct sockaddr_un name;
};

struct address {
  struct ibv_ah base;
  struct ibv_ah_attr attr;
};

struct context {
  struct ibv_context base;
  int write_end;
};

/* A request to queue pair 1: umad keeps the low half of its TransactionID. */
struct asked {
  struct pair* by;
  uint64_t transaction;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ibv_device device = {.node_type = IBV_NODE_CA, .transport_type = IBV_TRANSPORT_IB};
static __be64 node_guid;
static struct pair *pairs[kMost], *subscriber;
static struct context* contexts[kMost];
static struct asked asked[256];
static int mad_port = -1, mad_agent = -1;
static uint32_t next_qpn = 0x100;

static const char* folder(void) {
  const char* dir = getenv("LAB_VERBS_DIR");
  if (!dir || !*dir) {
    fprintf(stderr, "verbs: LAB_VERBS_DIR is not set\n");
    exit(2);
  }
  return dir;
}

static int port_now(umad_port_t* port) { return umad_get_port(device.name, kPort, port); }

/* --- device and port --- */

struct ibv_device** ibv_get_device_list(int* count) {
  char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
  struct ibv_device** list;
  umad_ca_t ca;
  if (count) *count = 0;
  umad_init();
  if (umad_get_cas_names(names, UMAD_MAX_DEVICES) < 1 || umad_get_ca(names[0], &ca) ||
      !(list = calloc(2, sizeof *list)))
    return NULL;
  snprintf(device.name, sizeof device.name, "%s", ca.ca_name);
  node_guid = ca.node_guid;
  umad_release_ca(&ca);
  list[0] = &device;
  if (count) *count = 1;
  return list;
}

void ibv_free_device_list(struct ibv_device** list) { free(list); }

const char* ibv_get_device_name(struct ibv_device* of) { return of->name; }

__be64 ibv_get_device_guid(struct ibv_device* of) {
  (void)of;
  return node_guid;
}

int ibv_query_device(struct ibv_context* context, struct ibv_device_attr* attr) {
  (void)context;
  memset(attr, 0, sizeof *attr);
  attr->node_guid = node_guid;
  attr->phys_port_cnt = 1;
  attr->max_qp = kMost;
  attr->max_qp_wr = kDepth;
  attr->max_cqe = kDepth;
  attr->max_sge = 1;
  attr->max_pkeys = 32;
  return 0;
}

/* The width is 4x: umad tells the product only. */
static uint8_t speed_of(int gigabits) {
  static const struct {
    int gigabits;
    uint8_t speed;
  } table[] = {{10, 1}, {20, 2}, {40, 4}, {56, 16}, {100, 32}, {200, 64}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].gigabits == gigabits) return table[i].speed;
  return 1;
}

int ibv_query_port(struct ibv_context* context, uint8_t number, struct _compat_ibv_port_attr* out) {
  struct ibv_port_attr* attr = (struct ibv_port_attr*)out;
  umad_port_t port;
  (void)context;
  if (number != kPort || port_now(&port)) return EINVAL;
  attr->state = port.state;
  attr->max_mtu = attr->active_mtu = IBV_MTU_2048;
  attr->gid_tbl_len = 1;
  attr->port_cap_flags = be32toh(port.capmask);
  attr->max_msg_sz = kPayload;
  attr->pkey_tbl_len = port.pkeys_size;
  attr->lid = port.base_lid;
  attr->sm_lid = port.sm_lid;
  attr->lmc = port.lmc;
  attr->max_vl_num = 4;
  attr->sm_sl = port.sm_sl;
  attr->subnet_timeout = 18;
  attr->active_width = 2;
  attr->active_speed = speed_of(port.rate);
  attr->phys_state = port.phys_state;
  attr->link_layer = IBV_LINK_LAYER_INFINIBAND;
  umad_release_port(&port);
  return 0;
}

int ibv_query_gid(struct ibv_context* context, uint8_t number, int index, union ibv_gid* gid) {
  umad_port_t port;
  (void)context;
  if (number != kPort || index != 0 || port_now(&port)) return -1;
  gid->global.subnet_prefix = port.gid_prefix;
  gid->global.interface_id = port.port_guid;
  umad_release_port(&port);
  return 0;
}

int ibv_query_pkey(struct ibv_context* context, uint8_t number, int index, __be16* p_key) {
  umad_port_t port;
  int known;
  (void)context;
  if (number != kPort || port_now(&port)) return -1;
  known = index >= 0 && (unsigned)index < port.pkeys_size;
  if (known) *p_key = htobe16(port.pkeys[index]);
  umad_release_port(&port);
  return known ? 0 : -1;
}

int ibv_get_pkey_index(struct ibv_context* context, uint8_t number, __be16 p_key) {
  __be16 at;
  for (int i = 0; !ibv_query_pkey(context, number, i, &at); i++)
    if (at == p_key) return i;
  return -1;
}

/* --- completions --- */

static void complete(struct queue* queue, const struct ibv_wc* done) {
  struct channel* channel = (struct channel*)queue->base.channel;
  if (queue->count == kDepth) {
    fprintf(stderr, "verbs: a completion queue overran\n");
    abort();
  }
  queue->done[(queue->first + queue->count++) % kDepth] = *done;
  if (queue->armed && channel) {
    queue->armed = 0;
    if (write(channel->write_end, &queue, sizeof queue) != sizeof queue) perror("verbs: completion channel");
  }
}

static int poll_cq(struct ibv_cq* of, int most, struct ibv_wc* out) {
  struct queue* queue = (struct queue*)of;
  int taken = 0;
  pthread_mutex_lock(&lock);
  while (taken < most && queue->count) {
    out[taken++] = queue->done[queue->first];
    queue->first = (queue->first + 1) % kDepth;
    queue->count--;
  }
  pthread_mutex_unlock(&lock);
  return taken;
}

static int req_notify_cq(struct ibv_cq* of, int solicited_only) {
  (void)solicited_only;
  pthread_mutex_lock(&lock);
  ((struct queue*)of)->armed = 1;
  pthread_mutex_unlock(&lock);
  return 0;
}

struct ibv_comp_channel* ibv_create_comp_channel(struct ibv_context* context) {
  struct channel* channel = calloc(1, sizeof *channel);
  int ends[2];
  if (!channel || pipe2(ends, O_CLOEXEC)) {
    free(channel);
    return NULL;
  }
  channel->base.context = context;
  channel->base.fd = ends[0];
  channel->write_end = ends[1];
  return &channel->base;
}

int ibv_destroy_comp_channel(struct ibv_comp_channel* of) {
  close(((struct channel*)of)->write_end);
  close(of->fd);
  free(of);
  return 0;
}

int ibv_get_cq_event(struct ibv_comp_channel* channel, struct ibv_cq** out, void** context) {
  struct queue* queue;
  if (read(channel->fd, &queue, sizeof queue) != sizeof queue) return -1;
  *out = &queue->base;
  *context = queue->base.cq_context;
  return 0;
}

void ibv_ack_cq_events(struct ibv_cq* cq, unsigned count) { (void)cq, (void)count; }

struct ibv_cq* ibv_create_cq(struct ibv_context* context, int size, void* cq_context,
                             struct ibv_comp_channel* channel, int vector) {
  struct queue* queue = calloc(1, sizeof *queue);
  (void)vector;
  if (!queue) return NULL;
  queue->base.context = context;
  queue->base.channel = channel;
  queue->base.cq_context = cq_context;
  queue->base.cqe = size;
  return &queue->base;
}

int ibv_destroy_cq(struct ibv_cq* cq) {
  free(cq);
  return 0;
}

/* --- datagrams between programs --- */

static uint16_t p_key_at(struct ibv_context* context, uint16_t index) {
  __be16 p_key = 0;
  ibv_query_pkey(context, kPort, index, &p_key);
  return be16toh(p_key);
}

static int same_partition(uint16_t one, uint16_t other) {
  return !((one ^ other) & 0x7fff) && ((one | other) & 0x8000);
}

/* Called with the lock. */
static void deliver(struct pair* pair, const struct packet* packet) {
  struct ibv_wc done = {.status = IBV_WC_SUCCESS, .opcode = IBV_WC_RECV, .qp_num = pair->base.qp_num};
  struct receive* slot = &pair->posted[pair->first];
  if (!pair->count || packet->q_key != pair->q_key || kGrh + packet->length > slot->room) return;
  pair->first = (pair->first + 1) % kDepth;
  pair->count--;
  memset(slot->to, 0, kGrh);
  if (packet->has_grh) memcpy(slot->to, &packet->grh, kGrh);
  memcpy(slot->to + kGrh, packet->payload, packet->length);
  done.wr_id = slot->id;
  done.byte_len = kGrh + packet->length;
  done.src_qp = packet->source_qpn;
  done.slid = packet->source_lid;
  done.sl = packet->sl;
  done.pkey_index = pair->p_key_index;
  done.wc_flags = packet->has_grh ? IBV_WC_GRH : 0;
  complete((struct queue*)pair->base.recv_cq, &done);
}

static void name_pair(struct sockaddr_un* name, const char* group, uint16_t lid, uint32_t qpn) {
  memset(name, 0, sizeof *name);
  name->sun_family = AF_UNIX;
  snprintf(name->sun_path, sizeof name->sun_path, "%s/%s%04x.%06x", folder(), group, lid, qpn);
}

static const char* group_prefix(const uint8_t* mgid, char out[34]) {
  for (int i = 0; i < 16; i++) sprintf(out + 2 * i, "%02x", mgid[i]);
  return strcat(out, ".");
}

static void send_to(struct pair* from, const struct sockaddr_un* name, const struct packet* packet) {
  size_t length = offsetof(struct packet, payload) + packet->length;
  sendto(from->fd, packet, length, MSG_DONTWAIT | MSG_NOSIGNAL, (const void*)name,
         sizeof *name); /* unreliable */
}

static void send_to_group(struct pair* from, const uint8_t* mgid, const struct packet* packet) {
  char prefix[34], self[32];
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  struct dirent* entry;
  DIR* dir = opendir(folder());
  group_prefix(mgid, prefix);
  snprintf(self, sizeof self, "%04x.%06x", packet->source_lid, packet->source_qpn);
  while (dir && (entry = readdir(dir))) {
    if (strncmp(entry->d_name, prefix, strlen(prefix)) || !strcmp(entry->d_name + strlen(prefix), self))
      continue;
    if (snprintf(name.sun_path, sizeof name.sun_path, "%s/%s", folder(), entry->d_name) <
        (int)sizeof name.sun_path)
      send_to(from, &name, packet);
  }
  if (dir) closedir(dir);
}

/* --- management datagrams of queue pairs --- */

static void send_mad(struct pair* from, const struct ibv_ah_attr* to, const struct ibv_send_wr* work,
                     const struct packet* packet) {
  void* umad = calloc(1, umad_size() + kMad);
  uint8_t* mad = umad ? umad_get_mad(umad) : NULL;
  uint64_t transaction;
  int answer;
  if (!mad || packet->length > kMad) abort();
  memcpy(mad, packet->payload, packet->length);
  answer = mad[3] & 0x80;
  if (!answer) {
    memcpy(&transaction, mad + 8, 8);
    asked[mad[15]] = (struct asked){from, transaction};
    if (mad[1] == kSaClass && mad[17] == kInformInfo && !mad[16]) subscriber = from;
  }
  umad_set_addr(umad, to->dlid, 1, to->sl, work->wr.ud.remote_qkey);
  if (umad_send(mad_port, mad_agent, umad, kMad, answer ? 0 : 1000, 0)) perror("verbs: umad_send");
  free(umad);
}

/* Called with the lock. */
static void take_mad(void) {
  void* umad = calloc(1, umad_size() + kMad);
  struct packet packet = {.source_qpn = 1, .length = kMad};
  struct pair* to = subscriber;
  int length = kMad;
  if (umad && umad_recv(mad_port, umad, &length, 0) >= 0 && !umad_status(umad)) {
    uint8_t* mad = umad_get_mad(umad);
    if (mad[3] & 0x80) {
      to = asked[mad[15]].by;
      memcpy(mad + 8, &asked[mad[15]].transaction, 8);
    }
    if (to) {
      ib_mad_addr_t* from = umad_get_mad_addr(umad);
      packet.source_lid = be16toh(from->lid);
      packet.sl = from->sl;
      packet.q_key = to->q_key;
      memcpy(packet.payload, mad, kMad);
      deliver(to, &packet);
    }
  }
  free(umad);
}

static void open_mad_port(void) {
  long methods[16 / sizeof(long)] = {1L << kReport};
  mad_port = umad_open_port(device.name, kPort);
  mad_agent = umad_register(mad_port, kSaClass, 2, 0, methods);
  if (mad_port < 0 || mad_agent < 0) {
    fprintf(stderr, "verbs: no agent for queue pair 1\n");
    exit(2);
  }
}

/* --- events, and the thread that receives --- */

/* Called with the lock. */
static void tell(enum ibv_event_type type) {
  struct ibv_async_event event = {.event_type = type, .element.port_num = kPort};
  for (int i = 0; i < kMost; i++)
    if (contexts[i] && write(contexts[i]->write_end, &event, sizeof event) != sizeof event)
      perror("verbs: event");
}

/* Called with the lock. */
static void compare_port(void) {
  static int lid = -1, sm_lid, state;
  umad_port_t port;
  if (port_now(&port)) return;
  if (lid >= 0) {
    if (state != (int)port.state)
      tell(port.state == IBV_PORT_ACTIVE ? IBV_EVENT_PORT_ACTIVE : IBV_EVENT_PORT_ERR);
    if (lid != (int)port.base_lid) tell(IBV_EVENT_LID_CHANGE);
    if (sm_lid != (int)port.sm_lid) tell(IBV_EVENT_SM_CHANGE);
  }
  lid = port.base_lid;
  sm_lid = port.sm_lid;
  state = port.state;
  umad_release_port(&port);
}

/* Called with the lock. */
static void take_packets(struct pair* pair) {
  struct packet packet;
  uint16_t ours = p_key_at(pair->base.context, pair->p_key_index);
  while (recv(pair->fd, &packet, sizeof packet, MSG_DONTWAIT) > 0)
    if (same_partition(packet.p_key, ours)) deliver(pair, &packet);
}

static void* receive(void* unused) {
  (void)unused;
  for (;;) {
    struct pollfd fds[kMost + 1];
    int count = 0;
    pthread_mutex_lock(&lock);
    fds[count++] = (struct pollfd){.fd = umad_get_fd(mad_port), .events = POLLIN};
    for (int i = 0; i < kMost; i++)
      if (pairs[i] && pairs[i]->fd >= 0) fds[count++] = (struct pollfd){.fd = pairs[i]->fd, .events = POLLIN};
    pthread_mutex_unlock(&lock);
    poll(fds, count, kPollMs);
    pthread_mutex_lock(&lock);
    if (fds[0].revents) take_mad();
    for (int i = 0; i < kMost; i++)
      if (pairs[i] && pairs[i]->fd >= 0) take_packets(pairs[i]);
    compare_port();
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

static void start(void) {
  pthread_t thread;
  open_mad_port();
  if (pthread_create(&thread, NULL, receive, NULL)) abort();
}

int ibv_get_async_event(struct ibv_context* context, struct ibv_async_event* event) {
  return read(context->async_fd, event, sizeof *event) == sizeof *event ? 0 : -1;
}

void ibv_ack_async_event(struct ibv_async_event* event) { (void)event; }

const char* ibv_event_type_str(enum ibv_event_type type) {
  return type == IBV_EVENT_PORT_ACTIVE ? "port active" : type == IBV_EVENT_SM_CHANGE ? "SM change" : "event";
}

/* --- queue pairs --- */

static int post_recv(struct ibv_qp* qp, struct ibv_recv_wr* work, struct ibv_recv_wr** bad) {
  struct pair* pair = (struct pair*)qp;
  int failed = 0;
  pthread_mutex_lock(&lock);
  for (; work && !failed; work = failed ? work : work->next)
    if (pair->count == kDepth || work->num_sge != 1)
      failed = ENOMEM;
    else
      pair->posted[(pair->first + pair->count++) % kDepth] =
          (struct receive){work->wr_id, (uint8_t*)(uintptr_t)work->sg_list->addr, work->sg_list->length};
  if (failed) *bad = work;
  pthread_mutex_unlock(&lock);
  return failed;
}

/* Called with the lock. */
static void send_one(struct pair* pair, const struct ibv_send_wr* work) {
  const struct ibv_ah_attr* to = &((struct address*)work->wr.ud.ah)->attr;
  struct packet packet = {.source_qpn = pair->base.qp_num, .length = work->sg_list->length, .sl = to->sl};
  struct ibv_wc done = {.wr_id = work->wr_id, .opcode = IBV_WC_SEND, .qp_num = pair->base.qp_num};
  struct sockaddr_un name;
  umad_port_t port;
  if (port_now(&port) || packet.length > kPayload) abort();
  memcpy(packet.payload, (void*)(uintptr_t)work->sg_list->addr, packet.length);
  packet.source_lid = port.base_lid;
  packet.p_key = port.pkeys[pair->p_key_index];
  packet.q_key = work->wr.ud.remote_qkey & 0x80000000 ? pair->q_key : work->wr.ud.remote_qkey;
  packet.has_grh = to->is_global;
  packet.grh.sgid.global.subnet_prefix = port.gid_prefix;
  packet.grh.sgid.global.interface_id = port.port_guid;
  packet.grh.dgid = to->grh.dgid;
  umad_release_port(&port);
  name_pair(&name, "", to->dlid, work->wr.ud.remote_qpn);
  if (work->wr.ud.remote_qpn == 1)
    send_mad(pair, to, work, &packet);
  else if (to->dlid >= kFirstMulticastLid)
    send_to_group(pair, to->grh.dgid.raw, &packet);
  else
    send_to(pair, &name, &packet);
  if (pair->signals_all || work->send_flags & IBV_SEND_SIGNALED)
    complete((struct queue*)pair->base.send_cq, &done);
}

static int post_send(struct ibv_qp* qp, struct ibv_send_wr* work, struct ibv_send_wr** bad) {
  (void)bad;
  pthread_mutex_lock(&lock);
  for (; work; work = work->next) send_one((struct pair*)qp, work);
  pthread_mutex_unlock(&lock);
  return 0;
}

struct ibv_qp* ibv_create_qp(struct ibv_pd* pd, struct ibv_qp_init_attr* init) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  struct pair* pair = calloc(1, sizeof *pair);
  int at = 0;
  if (!pair || init->qp_type != IBV_QPT_UD) abort();
  pthread_once(&once, start);
  pair->base.context = pd->context;
  pair->base.pd = pd;
  pair->base.send_cq = init->send_cq;
  pair->base.recv_cq = init->recv_cq;
  pair->base.qp_context = init->qp_context;
  pair->base.qp_type = init->qp_type;
  pair->signals_all = init->sq_sig_all;
  pair->fd = -1;
  pthread_mutex_lock(&lock);
  pair->base.qp_num = next_qpn++;
  while (at < kMost && pairs[at]) at++;
  if (at == kMost) abort();
  pairs[at] = pair;
  pthread_mutex_unlock(&lock);
  return &pair->base;
}

/* Called with the lock. */
static int open_socket(struct pair* pair) {
  umad_port_t port;
  if (port_now(&port)) return EIO;
  name_pair(&pair->name, "", port.base_lid, pair->base.qp_num);
  umad_release_port(&port);
  unlink(pair->name.sun_path);
  pair->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  return bind(pair->fd, (void*)&pair->name, sizeof pair->name) ? errno : 0;
}

int ibv_modify_qp(struct ibv_qp* qp, struct ibv_qp_attr* attr, int mask) {
  struct pair* pair = (struct pair*)qp;
  int failed = 0;
  pthread_mutex_lock(&lock);
  if (mask & IBV_QP_QKEY) pair->q_key = attr->qkey;
  if (mask & IBV_QP_PKEY_INDEX) pair->p_key_index = attr->pkey_index;
  if (mask & IBV_QP_STATE) qp->state = attr->qp_state;
  if (qp->state == IBV_QPS_RTR && pair->fd < 0) failed = open_socket(pair);
  pthread_mutex_unlock(&lock);
  return failed;
}

int ibv_destroy_qp(struct ibv_qp* qp) {
  struct pair* pair = (struct pair*)qp;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < kMost; i++)
    if (pairs[i] == pair) pairs[i] = NULL;
  for (int i = 0; i < 256; i++)
    if (asked[i].by == pair) asked[i].by = NULL;
  if (subscriber == pair) subscriber = NULL;
  pthread_mutex_unlock(&lock);
  if (pair->fd >= 0) {
    unlink(pair->name.sun_path);
    close(pair->fd);
  }
  free(pair);
  return 0;
}

static int membership(struct ibv_qp* qp, const union ibv_gid* mgid, int member) {
  struct pair* pair = (struct pair*)qp;
  const char* file = strrchr(pair->name.sun_path, '/');
  char prefix[34], link[sizeof pair->name.sun_path + 40];
  if (!file) return EINVAL;
  snprintf(link, sizeof link, "%s/%s%s", folder(), group_prefix(mgid->raw, prefix), file + 1);
  unlink(link);
  return member && symlink(pair->name.sun_path, link) ? errno : 0;
}

int ibv_attach_mcast(struct ibv_qp* qp, const union ibv_gid* mgid, uint16_t mlid) {
  (void)mlid;
  return membership(qp, mgid, 1);
}

int ibv_detach_mcast(struct ibv_qp* qp, const union ibv_gid* mgid, uint16_t mlid) {
  (void)mlid;
  return membership(qp, mgid, 0);
}

/* --- what has no meaning here but to exist --- */

/* srp_daemon looks there for targets that are connected; without the kernel's module there is no such folder.
 */
DIR* opendir(const char* path) {
  static DIR* (*next)(const char*);
  if (!next) next = (DIR * (*)(const char*)) dlsym(RTLD_NEXT, "opendir");
  return next(strcmp(path, "/sys/class/scsi_host/") ? path : folder());
}

struct ibv_context* ibv_open_device(struct ibv_device* of) {
  struct context* context = calloc(1, sizeof *context);
  int ends[2], at = 0;
  if (!context || pipe2(ends, O_CLOEXEC)) return NULL;
  context->base.device = of;
  context->base.ops.poll_cq = poll_cq;
  context->base.ops.req_notify_cq = req_notify_cq;
  context->base.ops.post_send = post_send;
  context->base.ops.post_recv = post_recv;
  context->base.async_fd = ends[0];
  context->base.cmd_fd = -1;
  context->write_end = ends[1];
  pthread_mutex_lock(&lock);
  while (at < kMost && contexts[at]) at++;
  if (at == kMost) abort();
  contexts[at] = context;
  pthread_mutex_unlock(&lock);
  return &context->base;
}

int ibv_close_device(struct ibv_context* of) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < kMost; i++)
    if (contexts[i] == (struct context*)of) contexts[i] = NULL;
  pthread_mutex_unlock(&lock);
  close(of->async_fd);
  close(((struct context*)of)->write_end);
  free(of);
  return 0;
}

struct ibv_pd* ibv_alloc_pd(struct ibv_context* context) {
  struct ibv_pd* pd = calloc(1, sizeof *pd);
  if (pd) pd->context = context;
  return pd;
}

int ibv_dealloc_pd(struct ibv_pd* pd) {
  free(pd);
  return 0;
}

struct ibv_mr* ibv_reg_mr(struct ibv_pd* pd, void* addr, size_t length, int access) {
  struct ibv_mr* mr = calloc(1, sizeof *mr);
  (void)access;
  if (mr)
    *mr = (struct ibv_mr){
        .context = pd->context, .pd = pd, .addr = addr, .length = length, .lkey = 1, .rkey = 1};
  return mr;
}

int ibv_dereg_mr(struct ibv_mr* mr) {
  free(mr);
  return 0;
}

struct ibv_ah* ibv_create_ah(struct ibv_pd* pd, struct ibv_ah_attr* attr) {
  struct address* ah = calloc(1, sizeof *ah);
  if (ah) {
    ah->base = (struct ibv_ah){.context = pd->context, .pd = pd};
    ah->attr = *attr;
  }
  return ah ? &ah->base : NULL;
}

int ibv_destroy_ah(struct ibv_ah* ah) {
  free(ah);
  return 0;
}
