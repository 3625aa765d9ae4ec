package check

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// manifests are the objects of deploy/kubernetes as kustomize builds them.
type manifests struct {
	namespace  corev1.Namespace
	config     corev1.ConfigMap
	claim      corev1.PersistentVolumeClaim
	services   map[string]corev1.Service
	nodes      appsv1.StatefulSet
	disruption policyv1.PodDisruptionBudget
	network    networkingv1.NetworkPolicy
	ingress    networkingv1.Ingress
}

// kubernetes builds the manifests and reads each with the types of the API, strictly.
func kubernetes(t *testing.T) *manifests {
	t.Helper()
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), "../kubernetes")
	require.NoError(t, err)
	m := &manifests{services: map[string]corev1.Service{}}
	for _, r := range built.Resources() {
		kind := r.GetApiVersion() + "/" + r.GetKind()
		var service corev1.Service
		into, ok := map[string]any{
			"v1/Namespace": &m.namespace, "v1/ConfigMap": &m.config, "v1/PersistentVolumeClaim": &m.claim, "v1/Service": &service,
			"apps/v1/StatefulSet": &m.nodes, "policy/v1/PodDisruptionBudget": &m.disruption,
			"networking.k8s.io/v1/NetworkPolicy": &m.network, "networking.k8s.io/v1/Ingress": &m.ingress,
		}[kind]
		require.True(t, ok, "%s is not checked", kind)
		text, err := r.AsYAML()
		require.NoError(t, err)
		require.NoError(t, yaml.UnmarshalStrict(text, into), "%s", text)
		if service.Name != "" {
			m.services[service.Name] = service
		}
		require.Empty(t, validation.IsDNS1123Label(r.GetName()), r.GetName())
		require.Contains(t, []string{"", "parley"}, r.GetNamespace(), r.GetName())
	}
	return m
}

// node is the container of a node.
func (m *manifests) node(t *testing.T) corev1.Container {
	t.Helper()
	require.Len(t, m.nodes.Spec.Template.Spec.Containers, 1)
	return m.nodes.Spec.Template.Spec.Containers[0]
}

// ports are the ports of a node by their names.
func (m *manifests) ports(t *testing.T) map[string]int32 {
	t.Helper()
	ports := map[string]int32{}
	for _, p := range m.node(t).Ports {
		require.Empty(t, validation.IsValidPortName(p.Name))
		ports[p.Name] = p.ContainerPort
	}
	return ports
}

// environment are the variables that the manifests give to a node.
func (m *manifests) environment(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for name, value := range m.config.Data {
		all[name] = value
	}
	for _, v := range m.node(t).Env {
		all[v.Name] = v.Value
	}
	return all
}

// What selects the nodes selects their pods, and everything that is named exists.
func TestKubernetes(t *testing.T) {
	t.Parallel()
	m := kubernetes(t)
	spec, node, ports := m.nodes.Spec, m.node(t), m.ports(t)
	labels := spec.Template.Labels
	require.Equal(t, int32(len(nodes())), *spec.Replicas)
	for name, selector := range map[string]map[string]string{
		"StatefulSet": spec.Selector.MatchLabels, "PodDisruptionBudget": m.disruption.Spec.Selector.MatchLabels,
		"NetworkPolicy": m.network.Spec.PodSelector.MatchLabels, "Service": m.services["parley"].Spec.Selector,
		"headless Service": m.services["parley-nodes"].Spec.Selector,
		"spread":           spec.Template.Spec.TopologySpreadConstraints[0].LabelSelector.MatchLabels,
		"nodes among them": m.network.Spec.Ingress[2].From[0].PodSelector.MatchLabels,
	} {
		require.Equal(t, labels, selector, name)
	}
	require.Equal(t, "None", m.services[spec.ServiceName].Spec.ClusterIP)
	require.Equal(t, 1, m.disruption.Spec.MaxUnavailable.IntValue())
	for _, service := range m.services {
		for _, p := range service.Spec.Ports {
			require.Contains(t, ports, p.TargetPort.StrVal, service.Name)
		}
	}
	for _, rule := range m.network.Spec.Ingress {
		require.Contains(t, ports, rule.Ports[0].Port.StrVal)
	}
	path := m.ingress.Spec.Rules[0].HTTP.Paths[0].Backend.Service
	behind := m.services[path.Name].Spec.Ports
	require.Len(t, behind, 1)
	require.Equal(t, path.Port.Name, behind[0].Name)
	require.Equal(t, "people", behind[0].TargetPort.StrVal, "the Ingress leads to people's port, not to the operator's")

	volumes := map[string]bool{}
	for _, v := range spec.Template.Spec.Volumes {
		volumes[v.Name] = true
		if v.PersistentVolumeClaim != nil {
			require.Equal(t, m.claim.Name, v.PersistentVolumeClaim.ClaimName)
		}
	}
	mounts := map[string]bool{}
	for _, mount := range node.VolumeMounts {
		require.True(t, volumes[mount.Name], mount.Name)
		mounts[mount.MountPath] = true
	}
	require.Contains(t, m.claim.Spec.AccessModes, corev1.ReadWriteMany, "all nodes write files")
	require.Equal(t, m.config.Name, node.EnvFrom[0].ConfigMapRef.Name, "kustomize has put the name with the hash in")
	require.Regexp(t, `^registry\.example/parley:.+$`, node.Image)
}

// The settings are those that a node reads, and the addresses in them agree with those of the manifests and of the image.
func TestKubernetes_Settings(t *testing.T) {
	t.Parallel()
	m := kubernetes(t)
	environment, ports, known := m.environment(t), m.ports(t), variables(t)
	for name := range environment {
		if name != "POD_IP" { // only a part of PARLEY_CLUSTER_ADDR
			require.Contains(t, known, name)
		}
	}
	image := read(t, "Dockerfile")
	require.Contains(t, image, fmt.Sprintf("PARLEY_ADDR=0.0.0.0:%d ", ports["people"]))
	require.Contains(t, image, fmt.Sprintf("PARLEY_OPERATOR_ADDR=0.0.0.0:%d\n", ports["operator"]))
	require.Equal(t, fmt.Sprintf("$(POD_IP):%d", ports["cluster"]), environment["PARLEY_CLUSTER_ADDR"])
	// A variable is put into those below it only.
	var order []string
	for _, v := range m.node(t).Env {
		order = append(order, v.Name)
	}
	require.Equal(t, []string{"PARLEY_NODE", "POD_IP", "PARLEY_CLUSTER_ADDR"}, order)

	people, err := url.Parse(environment["PARLEY_URL"])
	require.NoError(t, err)
	require.Equal(t, "https", people.Scheme)
	require.Equal(t, people.Host, m.ingress.Spec.Rules[0].Host)
	require.Equal(t, []string{people.Host}, m.ingress.Spec.TLS[0].Hosts)
	require.NotEmpty(t, environment["OIDC_ISSUER"], "the embedded provider is for one machine")

	mounts := map[string]string{}
	for _, mount := range m.node(t).VolumeMounts {
		mounts[mount.Name] = mount.MountPath
	}
	require.Equal(t, "file://"+mounts["files"], environment["PARLEY_FILES"])
	require.Contains(t, image, "PARLEY_DATA="+mounts["data"]+" ")

	// What the page says to put into the secret is what a node reads.
	page := read(t, "docs", "operating.md")
	_, section, found := strings.Cut(page, "\n### Kubernetes\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	secret := regexp.MustCompile(`--from-literal=([A-Z_]+)=`).FindAllStringSubmatch(section, -1)
	require.NotEmpty(t, secret)
	for _, name := range secret {
		require.Contains(t, known, name[1])
		require.NotContains(t, environment, name[1], "a secret in the open")
	}
	require.Contains(t, section, "create secret generic "+m.node(t).EnvFrom[1].SecretRef.Name+" ")
}

// The probes ask what a node answers, and a node has time to start and to drain.
func TestKubernetes_Life(t *testing.T) {
	t.Parallel()
	m := kubernetes(t)
	node, ports := m.node(t), m.ports(t)
	routes := read(t, "api", "operator.go")
	for name, probe := range map[string]*corev1.Probe{
		"/readyz": node.ReadinessProbe, "/readyz at the start": node.StartupProbe, "/healthz": node.LivenessProbe,
	} {
		require.NotNil(t, probe, name)
		path, _, _ := strings.Cut(name, " ")
		require.Equal(t, path, probe.HTTPGet.Path)
		require.Contains(t, routes, fmt.Sprintf("mux.HandleFunc(%q", "GET "+path))
		require.Equal(t, intstr.FromString("operator"), probe.HTTPGet.Port)
		require.Positive(t, ports["operator"])
	}
	start := time.Duration(node.StartupProbe.PeriodSeconds*node.StartupProbe.FailureThreshold) * time.Second
	require.GreaterOrEqual(t, start, seconds(t, "PARLEY_DATABASE_WAIT_SECONDS")+lockWait, "it would be killed while it waits")
	found := regexp.MustCompile(`readyTimeout = (\d+) \* time.Second`).FindStringSubmatch(routes)
	require.Len(t, found, 2)
	limit, err := time.ParseDuration(found[1] + "s")
	require.NoError(t, err)
	for _, probe := range []*corev1.Probe{node.ReadinessProbe, node.StartupProbe} {
		require.Greater(t, time.Duration(probe.TimeoutSeconds)*time.Second, limit, "an answer may take that long")
	}

	pause := time.Duration(node.Lifecycle.PreStop.Sleep.Seconds) * time.Second
	grace := time.Duration(*m.nodes.Spec.Template.Spec.TerminationGracePeriodSeconds) * time.Second
	require.Positive(t, pause)
	require.GreaterOrEqual(t, grace, pause+drain(t)+after, "it would be killed while it drains")
	require.NotContains(t, m.environment(t), "PARLEY_DRAIN_SECONDS", "the period above is for its default")
}

// lockWait is how long a starting node waits for the locks of a migration: docs/operating.md, "Upgrades".
const lockWait = 6 * time.Minute

// A pod obeys the restricted Pod Security Standard, has no token of the cluster, and runs as the image's user.
func TestKubernetes_Rights(t *testing.T) {
	t.Parallel()
	m := kubernetes(t)
	pod, node := m.nodes.Spec.Template.Spec, m.node(t)
	require.Equal(t, "restricted", m.namespace.Labels["pod-security.kubernetes.io/enforce"])
	require.False(t, *pod.AutomountServiceAccountToken)
	require.False(t, pod.HostNetwork || pod.HostPID || pod.HostIPC)
	require.True(t, *pod.SecurityContext.RunAsNonRoot)
	require.Equal(t, corev1.SeccompProfileTypeRuntimeDefault, pod.SecurityContext.SeccompProfile.Type)
	user := fmt.Sprintf("USER %d:%d\n", *pod.SecurityContext.RunAsUser, *pod.SecurityContext.RunAsGroup)
	require.Contains(t, read(t, "Dockerfile"), user)
	require.False(t, *node.SecurityContext.AllowPrivilegeEscalation)
	require.True(t, *node.SecurityContext.ReadOnlyRootFilesystem)
	require.Equal(t, []corev1.Capability{"ALL"}, node.SecurityContext.Capabilities.Drop)
	require.Nil(t, node.SecurityContext.Privileged)
	require.Equal(t, []networkingv1.PolicyType{networkingv1.PolicyTypeIngress}, m.network.Spec.PolicyTypes)
	for name, limit := range node.Resources.Limits {
		requested := node.Resources.Requests[name]
		require.False(t, requested.IsZero(), name)
		require.LessOrEqual(t, requested.Cmp(limit), 0, name)
	}
	var metadata []metav1.ObjectMeta
	for _, s := range m.services {
		metadata = append(metadata, s.ObjectMeta)
	}
	for _, o := range append(metadata, m.nodes.ObjectMeta, m.ingress.ObjectMeta, m.disruption.ObjectMeta, m.network.ObjectMeta) {
		for key, value := range o.Labels {
			require.Empty(t, validation.IsQualifiedName(key))
			require.Empty(t, validation.IsValidLabelValue(value))
		}
		require.Equal(t, "parley", o.Namespace, o.Name)
	}
}
