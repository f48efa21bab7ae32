/* flow-gradient-rules.c
 *
 * Copyright 2026 The Flowstep developers
 * SPDX-License-Identifier: Apache-2.0
 */

#include "config.h"

#include "flow-function-private.h"

#include <string.h>

/* What SymbolicGradient makes of ops that are no functions: TensorFlow 1.15's own rules, to the op, so that numbers and
 * what fails are the same. They are older than those that Python knows, and fewer.
 *
 * A rule is a function in a text of its own: arguments, results, and a node a piece: `name = Op input... {attr=value
 * ...}`. Without braces a node has the attr T of the op. An input is an argument or a node (all of its outputs) or one
 * output of it, `name:1`; `$attr` is the op's attr of that name. */

typedef char *(*RuleMaker) (FlowAttrList *attrs);

typedef struct {
  const char *op;
  const char *args;
  const char *rets;
  const char *nodes;
  RuleMaker make;              /* where the nodes depend on the attrs */
} Rule;

#define CAST(name, from, type) name " = Cast " from " {SrcT=" type " DstT=$T};"
#define FLOAT(name, value) "const_" name " = Const {dtype=float value=" value "};" CAST (name, "const_" name, "float")
#define INT(name, value) name " = Const {dtype=int32 value=" value "};"
#define TWO "c = Const {dtype=int64 value=2};" CAST ("two", "c", "int64")

#define UNARY(op, nodes) { op, "x: T; dy: T", "dx: T", nodes, NULL }
/* The gradients are summed over what was broadcast. */
#define BINARY(op, nodes)                                                                                  \
  { op, "x: T; y: T; dz: T", "dx: T; dy: T",                                                               \
    "sx = Shape x; sy = Shape y;" nodes "r = BroadcastGradientArgs sx sy {};"                              \
    "sum_gx = Sum gx r:0; dx = Reshape sum_gx sx; sum_gy = Sum gy r:1; dy = Reshape sum_gy sy", NULL }
#define QUOTIENT(op, div)                                                                                  \
  BINARY (op, "gx = " div " dz y; nx = Neg x ^dz; y2 = Square y ^dz; nx_y2 = " div " nx y2; gy = Mul dz nx_y2;")
#define LARGER(op, compare)                                                                                \
  BINARY (op, "c = " compare " x y ^dz;" CAST ("mask", "c", "bool") "gx = Mul dz mask; gy = Sub dz gx;")
#define REDUCTION(op, nodes) { op, "x: T; i: Tidx; dy: T", "dx: T; di: Tidx", nodes "di = ZerosLike i {T=$Tidx}", NULL }
/* The shape of what was reduced with its dimensions kept, and how often it is repeated. */
#define KEPT_SHAPE                                                                                         \
  "x_shape = Shape x; x_rank = Rank x; i_shape = Shape i {T=$Tidx};" INT ("zero", "0") INT ("one", "1")    \
  "stitch_idx0 = Range zero x_rank one {}; stitch_val1 = Fill i_shape one {T=int32};"                      \
  "y_shape = DynamicStitch stitch_idx0 i x_shape stitch_val1 {N=2 T=int32};"                               \
  "tile_scaling = Div x_shape y_shape {T=int32};"
#define EXTREMUM(op)                                                                                       \
  REDUCTION (op, "y = " op " x i {T=$T Tidx=$Tidx keep_dims=true}; mask = Equal x y;" CAST ("mask_cast", "mask", "bool") \
             "mask_sum = Sum mask_cast i {T=$T Tidx=$Tidx}; norm_dy = Div dy mask_sum; sy = Shape y;"      \
             "norm_dy_reshaped = Reshape norm_dy sy; dx = Mul mask_cast norm_dy_reshaped;")
#define SLICED "xs = Shape x {T=$T out_type=$Index};"
#define MASKS                                                                                              \
  "{T=$T Index=$Index begin_mask=$begin_mask end_mask=$end_mask ellipsis_mask=$ellipsis_mask "             \
  "new_axis_mask=$new_axis_mask shrink_axis_mask=$shrink_axis_mask}"
#define CONV "strides=$strides padding=$padding data_format=$data_format use_cudnn_on_gpu=$use_cudnn_on_gpu " \
             "dilations=$dilations explicit_paddings=$explicit_paddings"
#define POOL "{T=$T ksize=$ksize strides=$strides padding=$padding data_format=$data_format}"

static gboolean
is_set (FlowAttrList *attrs,
        const char   *name)
{
  FlowAttr *attr = flow_attr_list_get (attrs, name);

  return attr != NULL && flow_attr_get_kind (attr) == FLOW_ATTR_BOOL && flow_attr_get_bool (attr);
}

/* The two products, by which of the factors was transposed. */
static char *
product_nodes (FlowAttrList *attrs,
               const char   *op,
               const char   *a,
               const char   *b,
               const char   *dx,
               const char   *dy)
{
  static const char *const operands[4][4] = {
    /* of dx, of dy: first and second factor */
    { "dz", "y", "x", "dz" }, { "dz", "y", "dz", "x" }, { "y", "dz", "x", "dz" }, { "y", "dz", "dz", "x" },
  };
  static const gboolean flags[4][4] = {
    { FALSE, TRUE, TRUE, FALSE }, { FALSE, FALSE, TRUE, FALSE }, { FALSE, TRUE, FALSE, FALSE }, { TRUE, TRUE, TRUE, TRUE },
  };
  int k = (is_set (attrs, a) ? 2 : 0) + (is_set (attrs, b) ? 1 : 0);

#define TRUTH(i) (flags[k][i] ? "true" : "false")
  return g_strdup_printf ("%s = %s %s %s {T=$T %s=%s %s=%s}; %s = %s %s %s {T=$T %s=%s %s=%s};",
                          dx, op, operands[k][0], operands[k][1], a, TRUTH (0), b, TRUTH (1),
                          dy, op, operands[k][2], operands[k][3], a, TRUTH (2), b, TRUTH (3));
#undef TRUTH
}

static char *
make_matmul (FlowAttrList *attrs)
{
  return product_nodes (attrs, "MatMul", "transpose_a", "transpose_b", "dx", "dy");
}

static char *
make_batch_matmul (FlowAttrList *attrs)
{
  return product_nodes (attrs, "BatchMatMul", "adj_x", "adj_y", "dx", "dy");
}

/* The dimensions before the last two were broadcast. */
static char *
make_batch_matmul_v2 (FlowAttrList *attrs)
{
  static const char batch[] = "{T=int32 Index=int32}";
  g_autofree char *products = product_nodes (attrs, "BatchMatMulV2", "adj_x", "adj_y", "gx", "gy");

  return g_strdup_printf ("sx = Shape x; sy = Shape y;" INT ("zero", "[0]") INT ("one", "[1]") INT ("minustwo", "[-2]")
                          "batch_sx = StridedSlice sx zero minustwo one %s; batch_sy = StridedSlice sy zero minustwo one %s;"
                          "r = BroadcastGradientArgs batch_sx batch_sy {}; %s"
                          "sum_gx = Sum gx r:0; dx = Reshape sum_gx sx; sum_gy = Sum gy r:1; dy = Reshape sum_gy sy",
                          batch, batch, products);
}

/* A slice for each of what was put together. */
static char *
make_concat (FlowAttrList *attrs)
{
  FlowAttr *n = flow_attr_list_get (attrs, "N");
  gint64 count = n != NULL ? CLAMP (flow_attr_get_int (n), 0, 65536) : 0;
  GString *text = g_string_new ("shapes = ShapeN x {T=$T N=$N}; offset = ConcatOffset dim shapes {N=$N};"
                                "d_dim = ZerosLike dim {T=int32};");

  for (gint64 i = 0; i < count; i++)
    g_string_append_printf (text, "dx_%" G_GINT64_FORMAT " = Slice dy offset:%" G_GINT64_FORMAT " shapes:%" G_GINT64_FORMAT
                            " {T=$T Index=int32};", i, i, i);
  g_string_append (text, "dx = _ListToArray");
  for (gint64 i = 0; i < count; i++)
    g_string_append_printf (text, " dx_%" G_GINT64_FORMAT, i);
  g_string_append (text, " {Tin=$N*T T=$T N=$N}");
  return g_string_free (text, FALSE);
}

static const Rule rules[] = {
  UNARY ("Abs", "sign = Sign x ^dy; dx = Mul dy sign"),
  UNARY ("Acos", FLOAT ("one", "1") "x2 = Square x; a = Sub one x2; b = Sqrt a; inv = Reciprocal b; neg = Neg inv;"
         "dx = Mul dy neg"),
  UNARY ("Acosh", "y = Acosh x; sinh = Sinh y; dx = Mul dy sinh"),
  BINARY ("Add", "gx = Identity dz; gy = Identity dz;"),
  BINARY ("AddV2", "gx = Identity dz; gy = Identity dz;"),
  UNARY ("Asin", FLOAT ("one", "1") "x2 = Square x; a = Sub one x2; b = Sqrt a; inv = Reciprocal b; dx = Mul dy inv"),
  UNARY ("Asinh", "y = Asinh x; cosh = Cosh y; dx = Mul dy cosh"),
  UNARY ("Atan", FLOAT ("one", "1") "x2 = Square x; a = Add one x2; inv = Reciprocal a; dx = Mul dy inv"),
  UNARY ("Atanh", FLOAT ("one", "1") "x2 = Square x; a = Sub one x2; inv = Reciprocal a; dx = Mul dy inv"),
  { "AvgPool", "input: T; grad: T", "output: T", "i_shape = Shape input; output = AvgPoolGrad i_shape grad " POOL, NULL },
  { "BatchMatMul", "x: T; y: T; dz: T", "dx: T; dy: T", NULL, make_batch_matmul },
  { "BatchMatMulV2", "x: T; y: T; dz: T", "dx: T; dy: T", NULL, make_batch_matmul_v2 },
  { "BiasAdd", "input: T; bias: T; grad: T", "grad: T; bias_grad: T",
    "bias_grad = BiasAddGrad grad {T=$T data_format=$data_format}", NULL },
  { "BroadcastTo", "x: T; shape: Tidx; dy: T", "dx: T; dshape: Tidx",
    "sx = Shape x {T=$T out_type=$Tidx}; r = BroadcastGradientArgs sx shape {T=$Tidx}; sum_gx = Sum dy r:0 {T=$T Tidx=$Tidx};"
    "dx = Reshape sum_gx sx {T=$T Tshape=$Tidx}; dshape = ZerosLike shape {T=$Tidx}", NULL },
  { "Cast", "x: SrcT; dy: DstT", "dx: SrcT", "dx = Cast dy {SrcT=$DstT DstT=$SrcT}", NULL },
  { "Concat", "dim: int32; x: N*T; dy: T", "d_dim: int32; dx: N*T", NULL, make_concat },
  { "ConcatV2", "x: N*T; dim: int32; dy: T", "dx: N*T; d_dim: int32", NULL, make_concat },
  { "ConjugateTranspose", "x: T; p: Tperm; dy: T", "dx: T; dp: Tperm",
    "q = InvertPermutation p {T=$Tperm}; dx = ConjugateTranspose dy q {T=$T Tperm=$Tperm}; dp = ZerosLike p {T=$Tperm}", NULL },
  { "Conv2D", "input: T; filter: T; grad: T", "input_grad: T; filter_grad: T",
    "i_shape = Shape input; input_grad = Conv2DBackpropInput i_shape filter grad {T=$T " CONV "};"
    "f_shape = Shape filter; filter_grad = Conv2DBackpropFilter input f_shape grad {T=$T " CONV "}", NULL },
  UNARY ("Cos", "sin = Sin x ^dy; neg = Neg sin; dx = Mul dy neg"),
  UNARY ("Cosh", "sinh = Sinh x ^dy; dx = Mul dy sinh"),
  QUOTIENT ("Div", "Div"),
  QUOTIENT ("DivNoNan", "DivNoNan"),
  UNARY ("Exp", "y = Exp x; dx = Mul dy y"),
  { "ExpandDims", "x: T; shape: Tdim; dy: T", "dx: T; dshape: Tdim",
    "x_shape = Shape x; dx = Reshape dy x_shape; dshape = ZerosLike shape {T=$Tdim}", NULL },
  UNARY ("Expm1", "y = Exp x; dx = Mul dy y"),
  { "Fill", "dims: index_type; x: T; dy: T", "d_dims: index_type; dx: T",
    "d_dims = ZerosLike dims {T=$index_type};" INT ("zero", "0") INT ("one", "1")
    "rank = Rank dy; r = Range zero rank one {}; dx = Sum dy r", NULL },
  { "GatherNd", "params: Tparams; indices: Tindices; doutput: Tparams", "dparams: Tparams; dindices: Tindices",
    "x_shape = Shape params {T=$Tparams out_type=$Tindices};"
    "dparams = ScatterNd indices doutput x_shape {T=$Tparams Tindices=$Tindices}; dindices = ZerosLike indices {T=$Tindices}",
    NULL },
  UNARY ("Identity", "dx = Identity dy"),
  UNARY ("Inv", "y = Reciprocal x; y2 = Square y ^dy; y2_neg = Neg y2; dx = Mul dy y2_neg"),
  UNARY ("Log", "x_inv = Reciprocal x ^dy; dx = Mul dy x_inv"),
  UNARY ("Log1p", FLOAT ("one", "1") "a = Add one x; dx = Div dy a"),
  { "LogSoftmax", "x: T; grad_logsoftmax: T", "grad_x: T",
    "softmax = Softmax x;" INT ("indices", "-1") "n0 = Sum grad_logsoftmax indices {T=$T keep_dims=true};"
    "n1 = Mul n0 softmax; grad_x = Sub grad_logsoftmax n1", NULL },
  { "MatMul", "x: T; y: T; dz: T", "dx: T; dy: T", NULL, make_matmul },
  EXTREMUM ("Max"),
  { "MaxPool", "input: T; grad: T", "output: T",
    "maxpool = MaxPool input " POOL "; output = MaxPoolGrad input maxpool grad " POOL, NULL },
  LARGER ("Maximum", "GreaterEqual"),
  REDUCTION ("Mean", KEPT_SHAPE "factor = Prod tile_scaling zero {T=int32};" CAST ("factor_T", "factor", "int32")
             "dy_scaled = Div dy factor_T; dy_reshaped = Reshape dy_scaled y_shape; dx = Tile dy_reshaped tile_scaling;"),
  EXTREMUM ("Min"),
  LARGER ("Minimum", "LessEqual"),
  BINARY ("Mul", "gx = Mul dz y; gy = Mul x dz;"),
  BINARY ("MulNoNan", "gx = Mul dz y; gy = Mul x dz;"),
  UNARY ("Neg", "dx = Neg dy"),
  { "Pack", "x: N*T; dy: T", "dx: N*T", "dx = Unpack dy {T=$T num=$N axis=$axis}", NULL },
  BINARY ("Pow", FLOAT ("zero", "0") FLOAT ("one", "1") "z = Pow x y; t0 = Sub y one ^dz; t1 = Pow x t0; t2 = Mul dz y;"
          "gx = Mul t1 t2; unsafe_log = Log x ^dz; zeros = ZerosLike x; pos_x = Greater x zero;"
          "safe_log = Select pos_x unsafe_log zeros; t4 = Mul dz z; gy = Mul safe_log t4;"),
  { "ReadVariableOp", "x: resource; dy: dtype", "dy: dtype", "", NULL },
  QUOTIENT ("RealDiv", "RealDiv"),
  UNARY ("Reciprocal", "y = Reciprocal x; y2 = Square y ^dy; y2_neg = Neg y2; dx = Mul dy y2_neg"),
  UNARY ("Relu", "dx = ReluGrad dy x"),
  UNARY ("Relu6", "dx = Relu6Grad dy x"),
  { "Reshape", "x: T; shape: Tshape; dy: T", "dx: T; dshape: Tshape",
    "x_shape = Shape x; dx = Reshape dy x_shape; dshape = ZerosLike shape {T=$Tshape}", NULL },
  { "Reverse", "x: T; d: bool; dy: T", "dx: T; dd: bool", "dx = Reverse dy d; dd = ZerosLike d {T=bool}", NULL },
  { "ReverseV2", "x: T; d: Tidx; dy: T", "dx: T; dd: Tidx",
    "dx = ReverseV2 dy d {T=$T Tidx=$Tidx}; dd = ZerosLike d {T=$Tidx}", NULL },
  UNARY ("Rsqrt", "x_inv = Reciprocal x ^dy; y = Rsqrt x;" FLOAT ("neghalf", "-0.5")
         "a = Mul neghalf x_inv; b = Mul a y; dx = Mul dy b"),
  { "Select", "c: bool; x: T; y: T; dz: T", "dc: bool; dx: T; dy: T",
    "dc = ZerosLike c ^dz {T=bool}; zeros = ZerosLike x ^dz; dx = Select c dz zeros; dy = Select c zeros dz", NULL },
  UNARY ("Sigmoid", FLOAT ("one", "1") "y = Sigmoid x; a = Sub one y ^dy; b = Mul y a; dx = Mul dy b"),
  UNARY ("Sign", "s = Shape x;" FLOAT ("val", "0") "dx = Fill s val"),
  UNARY ("Sin", "cos = Cos x ^dy; dx = Mul dy cos"),
  UNARY ("Sinh", "cosh = Cosh x ^dy; dx = Mul dy cosh"),
  { "Slice", "x: T; begin: Index; size: Index; dy: T", "dx: T; begin_grad: Index; size_grad: Index",
    "begin_grad = ZerosLike begin {T=$Index}; size_grad = ZerosLike size {T=$Index};" INT ("one", "1") SLICED
    "b1 = ExpandDims begin one {T=$Index}; xs_b = Sub xs begin {T=$Index}; xs_b_s = Sub xs_b size {T=$Index};"
    "a1 = ExpandDims xs_b_s one {T=$Index}; paddings = Concat one b1 a1 {T=$Index N=2};"
    "dx = Pad dy paddings {T=$T Tpaddings=$Index}", NULL },
  { "Softmax", "x: T; grad_softmax: T", "grad_x: T",
    "softmax = Softmax x; n0 = Mul grad_softmax softmax;" INT ("indices", "-1") "n1 = Sum n0 indices {T=$T keep_dims=true};"
    "n2 = Sub grad_softmax n1; grad_x = Mul n2 softmax", NULL },
  { "Split", "dim: int32; x: T; dy: num_split*T", "d_dim: int32; dx: T",
    "d_dim = ZerosLike dim {T=int32}; dx = Concat dim dy {T=$T N=$num_split}", NULL },
  { "SplitV", "x: T; size_splits: Tlen; dim: int32; dy: num_split*T", "dx: T; d_size_splits: Tlen; d_dim: int32",
    "d_dim = ZerosLike dim {T=int32}; d_size_splits = ZerosLike size_splits {T=$Tlen}; dx = Concat dim dy {T=$T N=$num_split}",
    NULL },
  UNARY ("Sqrt", "y = Sqrt x; y_inv = Reciprocal y ^dy;" FLOAT ("half", "0.5") "a = Mul half y_inv; dx = Mul dy a"),
  UNARY ("Square", TWO "x2 = Mul x two ^dy; dx = Mul dy x2"),
  BINARY ("SquaredDifference", TWO "x_sub_y = Sub x y; two_x_sub_y = Mul two x_sub_y; gx = Mul two_x_sub_y dz; gy = Neg gx;"),
  UNARY ("Squeeze", "x_shape = Shape x; dx = Reshape dy x_shape"),
  { "StridedSlice", "x: T; begin: Index; end: Index; stride: Index; dy: T",
    "dx: T; begin_grad: Index; end_grad: Index; stride_grad: Index",
    SLICED "dx = StridedSliceGrad xs begin end stride dy " MASKS "; begin_grad = ZerosLike begin {T=$Index};"
    "end_grad = ZerosLike end {T=$Index}; stride_grad = ZerosLike stride {T=$Index}", NULL },
  { "StridedSliceGrad", "shape: Index; begin: Index; end: Index; stride: Index; dy: T; grad: T",
    "shape_grad: Index; begin_grad: Index; end_grad: Index; stride_grad: Index; dy_grad: T",
    "shape_grad = ZerosLike shape {T=$Index}; begin_grad = ZerosLike begin {T=$Index}; end_grad = ZerosLike end {T=$Index};"
    "stride_grad = ZerosLike stride {T=$Index}; dy_grad = StridedSlice grad begin end stride " MASKS, NULL },
  BINARY ("Sub", "gx = Identity dz; gy = Neg dz;"),
  REDUCTION ("Sum", KEPT_SHAPE "dy_reshaped = Reshape dy y_shape; dx = Tile dy_reshaped tile_scaling;"),
  UNARY ("Tan", "cosx = Cos x; secx = Reciprocal cosx; secx2 = Square secx; dx = Mul dy secx2"),
  UNARY ("Tanh", FLOAT ("one", "1") "y = Tanh x; y2 = Square y ^dy; a = Sub one y2; dx = Mul dy a"),
  { "Transpose", "x: T; p: Tperm; dy: T", "dx: T; dp: Tperm",
    "q = InvertPermutation p {T=$Tperm}; dx = Transpose dy q {T=$T Tperm=$Tperm}; dp = ZerosLike p {T=$Tperm}", NULL },
  { "Unpack", "x: T; dy: num*T", "dx: T", "dx = Pack dy {T=$T N=$num axis=$axis}", NULL },
  BINARY ("Xdivy", "zeros = ZerosLike x; is_x_zero = NotEqual x zeros;" CAST ("is_zero_cast", "is_x_zero", "bool")
          "safe_divy = Xdivy is_zero_cast y; y2 = Square y; negy2 = Neg y2; xdivygrad = Xdivy x negy2;"
          "gx = Mul safe_divy dz; gy = Mul xdivygrad dz;"),
  BINARY ("Xlogy", "zeros = ZerosLike x; is_x_zero = NotEqual x zeros;" CAST ("is_zero_cast", "is_x_zero", "bool")
          "safe_logy = Xlogy is_zero_cast y; xlogygrad = Xdivy x y; gx = Mul safe_logy dz; gy = Mul xlogygrad dz;"),
  { "_ArrayToList", "x: N*T; dy: out_types[]", "dx: N*T", "dx = _ListToArray dy {Tin=$out_types T=$T N=$N}", NULL },
  { "_ListToArray", "x: Tin[]; dy: N*T", "dx: Tin[]", "dx = _ArrayToList dy {T=$T N=$N out_types=$Tin}", NULL },
};

/* TF: known to have none. */
static const char *const zero_ops[] = {
  "Const", "EditDistance", "Equal", "Floor", "FloorDiv", "Greater", "GreaterEqual", "Less", "LessEqual", "LinSpace",
  "LogicalAnd", "LogicalNot", "LogicalOr", "NotEqual", "OnesLike", "RandomUniform", "Range", "Rank", "Shape", "Size",
  "StatelessMultinomial", "StatelessRandomNormal", "StatelessRandomUniform", "StatelessTruncatedNormal", "StopGradient",
  "TruncateDiv", "ZerosLike", NULL
};

gboolean
_flow_gradient_is_zero (const char *op)
{
  return g_strv_contains (zero_ops, op);
}

/* --- from text to function ------------------------------------------------------------------------------ */

/* "x: T", "x: int32", "x: N*T", "x: Tin[]". */
static void
parse_arg (const char *text,
           FlowArgDef *arg)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", 2);
  char *type = g_strstrip (parts[1]);
  char *star = strchr (type, '*');

  arg->name = g_strdup (g_strstrip (parts[0]));
  if (star != NULL)
    {
      *star = '\0';
      arg->number_attr = g_intern_string (type);
      type = star + 1;
    }
  if (g_str_has_suffix (type, "[]"))
    {
      type[strlen (type) - 2] = '\0';
      arg->type_list_attr = g_intern_string (type);
    }
  else if (flow_dtype_from_string (type) != FLOW_DTYPE_INVALID)
    arg->dtype = flow_dtype_from_string (type);
  else
    arg->type_attr = g_intern_string (type);
}

static FlowAttr *
parse_const (const char *text,
             int         dtype)
{
  gboolean is_vector = *text == '[';
  g_autoptr (FlowShape) shape = is_vector ? flow_shape_new_vector (1) : flow_shape_new_scalar ();
  g_autoptr (FlowTensor) tensor = flow_tensor_new (dtype, shape, NULL, NULL);
  double value = g_ascii_strtod (is_vector ? text + 1 : text, NULL);

  if (dtype == FLOW_DTYPE_FLOAT)
    *(float *) flow_tensor_get_writable (tensor) = (float) value;
  else if (dtype == FLOW_DTYPE_INT32)
    *(gint32 *) flow_tensor_get_writable (tensor) = (gint32) value;
  else
    *(gint64 *) flow_tensor_get_writable (tensor) = (gint64) value;
  return flow_attr_new_tensor (tensor);
}

/* "$N*T": a list that has the attr T as often as the attr N says. */
static FlowAttr *
repeat_type (FlowAttrList *attrs,
             const char   *text)
{
  g_auto (GStrv) parts = g_strsplit (text + 1, "*", 2);
  FlowAttr *n = flow_attr_list_get (attrs, parts[0]);
  FlowAttr *type = flow_attr_list_get (attrs, parts[1]);
  gsize count = n != NULL && type != NULL ? (gsize) CLAMP (flow_attr_get_int (n), 0, 65536) : 0;
  g_autofree FlowAttr **items = g_new0 (FlowAttr *, count + 1);

  for (gsize i = 0; i < count; i++)
    items[i] = flow_attr_ref (type);
  return flow_attr_new_list (FLOW_ATTR_TYPE, items, count);
}

static FlowAttr *
parse_value (FlowAttrList *attrs,
             const char   *text)
{
  if (*text == '$')
    return strchr (text, '*') != NULL ? repeat_type (attrs, text) : flow_attr_new_placeholder (text + 1);
  if (strcmp (text, "true") == 0 || strcmp (text, "false") == 0)
    return flow_attr_new_bool (*text == 't');
  if (g_ascii_isdigit (*text))
    return flow_attr_new_int (g_ascii_strtoll (text, NULL, 10));
  return flow_attr_new_type (flow_dtype_from_string (text));
}

static void
parse_attrs (FlowAttrList *attrs,
             const char   *text,
             FlowAttrList *made)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      char *equals = strchr (words[i], '=');
      g_autoptr (FlowAttr) value = NULL;

      if (equals == NULL)
        continue;
      *equals = '\0';
      if (strcmp (words[i], "value") == 0)
        value = parse_const (equals + 1, flow_attr_get_dtype (flow_attr_list_get (made, "dtype")));
      else
        value = parse_value (attrs, equals + 1);
      flow_attr_list_set (made, words[i], value);
    }
}

/* "name = Op input... {attrs}". */
static FlowFunctionNode *
parse_node (const char   *text,
            FlowAttrList *attrs)
{
  const char *brace = strchr (text, '{');
  g_autofree char *head = brace != NULL ? g_strndup (text, (gsize) (brace - text)) : g_strdup (text);
  g_auto (GStrv) words = g_strsplit (g_strstrip (head), " ", -1);
  FlowAttrList *made = flow_attr_list_new ();
  g_autoptr (GStrvBuilder) inputs = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) controls = g_strv_builder_new ();
  g_auto (GStrv) control_list = NULL;

  for (guint i = 3; words[i - 1] != NULL && words[i] != NULL; i++)
    if (*words[i] != '\0')
      g_strv_builder_add (*words[i] == '^' ? controls : inputs, words[i]);
  control_list = g_strv_builder_end (controls);
  g_strv_builder_addv (inputs, (const char **) control_list);
  if (brace == NULL)
    parse_attrs (attrs, "T=$T", made);
  else
    {
      g_autofree char *inner = g_strndup (brace + 1, strcspn (brace + 1, "}"));

      parse_attrs (attrs, inner, made);
    }
  return flow_function_node_new (words[0], words[2], NULL, g_strv_builder_end (inputs), made);
}

static FlowFunction *
function_of (const Rule   *rule,
             FlowAttrList *attrs)
{
  g_autofree char *text = rule->make != NULL ? rule->make (attrs) : g_strdup (rule->nodes);
  g_auto (GStrv) args = g_strsplit (rule->args, ";", -1);
  g_auto (GStrv) rets = g_strsplit (rule->rets, ";", -1);
  g_auto (GStrv) nodes = g_strsplit (text, ";", -1);
  g_autofree char *name = g_strdup_printf ("%sGrad", rule->op);
  FlowFunction *function = flow_function_new (name);

  function->signature = flow_op_signature_new (name, g_strv_length (args), g_strv_length (rets), 0);
  function->attrs = flow_attr_list_new ();
  for (guint i = 0; args[i] != NULL; i++)
    parse_arg (args[i], &function->signature->inputs[i]);
  for (guint i = 0; rets[i] != NULL; i++)
    {
      const FlowArgDef *arg = &function->signature->outputs[i];

      parse_arg (rets[i], &function->signature->outputs[i]);
      g_hash_table_insert (function->ret, g_strdup (arg->name), g_strdup (arg->name));
    }
  for (guint i = 0; nodes[i] != NULL; i++)
    if (*g_strstrip (nodes[i]) != '\0')
      g_ptr_array_add (function->nodes, parse_node (nodes[i], attrs));
  return function;
}

FlowFunction *
_flow_gradient_rule_new (const char    *op,
                         FlowAttrList  *attrs,
                         GError       **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    if (strcmp (rules[i].op, op) == 0)
      return function_of (&rules[i], attrs);
  if (_flow_gradient_is_zero (op))
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_INVALID_ARGUMENT, "No gradient is defined for %s", op);
  else
    g_set_error (error, FLOW_ERROR, FLOW_ERROR_NOT_FOUND, "No gradient defined for op: %s", op);
  return NULL;
}
